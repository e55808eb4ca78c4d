// Checks on pages of visitors and sellers that the Content-Security-Policy has no 'unsafe-inline' for scripts, and that
// it blocks none of a page's own scripts.
import { expect } from '@playwright/test'
import { createDrop, signIn, signUp, testedApp } from '../support/e2e'
import { test } from '../support/test'

test('pages of visitors and sellers run only their own scripts', async ({ page, context }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller)
  const violations: string[] = []
  await page.exposeFunction('noteViolation', (text: string) => violations.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const noteViolation = Reflect.get(window, 'noteViolation') as (text: string) => void
      noteViolation(`${event.effectiveDirective} ${event.blockedURI} on ${location.pathname}`)
    })
  })
  const visit = async (path: string) => {
    const response = await page.goto(shop.url + path)
    const policy = response?.headers()['content-security-policy'] ?? ''
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
    expect(scripts, path).toMatch(/'(?:nonce|sha256)-/)
    expect(scripts, path).not.toContain('unsafe-inline')
    expect(policy.split('script-src').length, `${path} has one policy`).toBe(2)
    // Next's own inline scripts create this list, so it exists only if they have run.
    if (path !== '/offline')
      await page.waitForFunction(() => '__next_f' in window && document.readyState === 'complete')
  }
  for (const path of [
    '/',
    `/drop/${drop.identifier}`,
    `/profile/${seller.username}`,
    '/login',
    '/offline',
    '/nowhere',
  ]) {
    await visit(path)
  }
  // The button is enabled only after the scripts of the page have run.
  await page.goto(`${shop.url}/login`)
  await expect(page.getByRole('button', { name: /(?:log|sign) in/i }).first()).toBeEnabled()
  await signIn(context, seller)
  for (const path of ['/', '/account', '/create', '/payouts', '/orders']) await visit(path)
  expect(violations).toEqual([])
})
