import type { IncomingMessage } from 'node:http'
import { findCommonPage, isPageForStrangers } from './find-common-page.mjs'

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
