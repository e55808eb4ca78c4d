import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { makeScratchFolder } from '@/tests/support/make-scratch-folder'
import { findCommonPage, isPageForStrangers, UNKNOWN_PAGE } from './find-common-page.mjs'

// Without a build, no path counts as unknown.
const commonPage = findCommonPage('no-such-folder', 'no-such-folder')
const pageOf = (url: string, cookie?: string) => commonPage({ url, headers: { cookie } } as IncomingMessage)

test.each([
  ['/login', '/login'],
  ['/login?x=1', '/login'],
  ['/login?utm_source=mail&y=2', '/login'],
  ['/login?mode=signup', '/login?mode=signup'],
  ['/login?utm_source=mail&mode=signup', '/login?mode=signup'],
  ['/forgot-password?mode=signup&redirect=/create', '/forgot-password'],
  ['/find-order?x=1', '/find-order'],
  ['/terms-of-service?x=1', '/terms-of-service'],
])('%s is answered with the common page %s', (url, page) => {
  expect(pageOf(url)).toBe(page)
})

test.each([
  '/login?redirect=/create',
  '/login?mode=x',
  '/login?mode=signup&mode=signup',
  '/find-order?sent=1',
  '/forgot-password?sent=1',
  '/forgot-username?sent=1',
])('%s gets an answer of its own, because the page reads its query', (url) => {
  expect(pageOf(url)).toBeNull()
  expect(isPageForStrangers(url)).toBe(true)
})

test('someone who is signed in gets an answer of their own', () => {
  expect(pageOf('/login?x=1', 'next-auth.session-token=x')).toBeNull()
  expect(pageOf('/login?x=1', 'lastcall-buyer=x')).toBe('/login')
})

test('the paths under which no file and no page exists have one common page', () => {
  const { folder } = makeScratchFolder('pages')
  mkdirSync(path.join(folder, 'icons'))
  writeFileSync(path.join(folder, 'icons', 'a.png'), '')
  writeFileSync(path.join(folder, 'app-path-routes-manifest.json'), '{"/a/page":"/a"}')
  const pageIn = (url: string) => findCommonPage(folder, folder)({ url, headers: {} } as IncomingMessage)
  const unknown = [
    '/_next/x',
    '/_next/static?1',
    '/_next/static/',
    '/_NEXT/static/x.js',
    '/_next/data/x/y.json',
    '/icons/b.png',
    '/icons/a.png/c',
  ]
  expect(unknown.map(pageIn)).toEqual(unknown.map(() => UNKNOWN_PAGE))
  const others = ['/a', '/icons/a.png', '/_next/static/x.js', '/admin/x', '/api/x']
  expect(others.map(pageIn)).toEqual(others.map(() => null))
})
