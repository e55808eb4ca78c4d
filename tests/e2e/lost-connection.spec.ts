// When a request of a seller or an administrator fails on its way to the server, the page shows a message and keeps
// what was typed. The next attempt succeeds once the connection is back.
import { expect, type Page, type Route } from '@playwright/test'
import { generateSync } from 'otplib'
import { buy, freshAddress, signIn, signUp, testedApp } from '../support/e2e'
import { test } from '../support/test'

const GENERIC = 'Something went wrong. Please try again.'
const OFFLINE = "You're offline. Please try again when you're back online."

/**
 * Passes calls of server actions to `meet`, so that they do not reach the server. By default `meet` breaks the
 * connection. Returns a function that restores the connection.
 */
async function loseConnection(page: Page, meet = (route: Route) => route.abort('connectionreset')) {
  const handle = (route: Route) => (route.request().headers()['next-action'] ? meet(route) : route.fallback())
  await page.route('**', handle)
  return () => page.unroute('**', handle)
}

const badGateway = (route: Route) =>
  route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })

const refusal = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const toast = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

test('shipping, a refund and an import of tracking numbers work once the connection is back', async ({
  page,
  shop,
  seller,
  drop,
}) => {
  await buy(shop, drop.id)
  await signIn(page.context(), seller)
  await page.goto('/orders')
  await page.getByRole('link', { name: drop.title }).click()
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await page.getByLabel('Carrier').fill('DHL')
  const shipped = page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' })
  let restoreConnection = await loseConnection(page)
  await shipped.click()
  await expect(refusal(page, GENERIC)).toBeFocused()
  await expect(page.getByLabel('Carrier')).toHaveValue('DHL')
  await restoreConnection()
  await shipped.click()
  await expect(toast(page, 'Marked as shipped')).toBeVisible()

  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel('Amount in USD').fill('4.00')
  const refund = page.getByRole('button', { name: 'Refund $4.00' })
  restoreConnection = await loseConnection(page)
  for (const _press of ['once', 'and again']) {
    await refund.focus()
    await refund.click()
    await expect(refusal(page, GENERIC)).toBeVisible()
    await expect(page.getByLabel('Amount in USD')).toBeFocused()
  }
  await expect(page.getByLabel('Amount in USD')).toHaveValue('4.00')
  await restoreConnection()
  await refund.click()
  await expect(page.getByText('$4.00 refunded').first()).toBeVisible()

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const lines = `order,carrier,tracking\n${id.slice(-8)},UPS,1Z9`
  await page.goto('/orders/import')
  await page.getByLabel('Or paste its lines').fill(lines)
  restoreConnection = await loseConnection(page)
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await expect(refusal(page, GENERIC)).toBeVisible()
  await expect(page.getByLabel('Or paste its lines')).toBeFocused()
  await expect(page.getByLabel('Or paste its lines')).toHaveValue(lines)
  await restoreConnection()
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await expect(page.getByText('1 to correct')).toBeVisible()
})

test('two-factor sign-in can be set up once the connection is back, and every error puts the focus on a field', async ({
  page,
  browser,
}) => {
  const seller = await signUp(testedApp())
  await signIn(page.context(), seller)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Set up' }).click()
  const heading = page.getByRole('heading', { name: 'Two-factor' })
  await expect(heading).toBeFocused()
  const password = page.getByLabel('Your password', { exact: true })
  await password.fill(seller.password)
  let restoreConnection = await loseConnection(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(refusal(page, GENERIC)).toBeVisible()
  await expect(password).toBeFocused()
  await restoreConnection()
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '')

  const code = page.getByLabel('The six digits from your app')
  const turnOn = page.getByRole('button', { name: 'Turn on' })
  await code.fill('000000')
  await turnOn.click()
  await expect(refusal(page, "That code isn't right")).toBeVisible()
  await expect(code).toBeFocused()
  const digits = generateSync({ secret })
  await code.fill(digits)
  restoreConnection = await loseConnection(page)
  await turnOn.click()
  await expect(refusal(page, GENERIC)).toBeVisible()
  await expect(code).toBeFocused()
  await expect(code).toHaveValue(digits)
  await restoreConnection()
  await turnOn.click()
  await expect(page.getByText('Keep these recovery codes')).toBeVisible()
  await expect(heading).toBeFocused()

  const other = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': freshAddress() } })
  await other.goto('/login')
  await other.getByLabel('Username').fill(seller.username)
  await other.getByLabel('Password', { exact: true }).fill(seller.password)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await other.getByRole('heading', { name: 'One more step' }).waitFor()
  await other.getByLabel('Code').fill('000000')
  await other.getByRole('button', { name: 'Sign In' }).click()
  await expect(refusal(other, "That code isn't right")).toBeVisible()
  await expect(other.getByLabel('Code')).toBeFocused()
  await other.close()
})

test('a press on a button shows a message while the browser is offline, and the next press works once it is online again', async ({
  page,
  context,
}) => {
  const seller = await signUp(testedApp())
  await signIn(context, seller)
  const device = { email: seller.email, password: seller.password }
  const answer = await page.request.fetch(`${testedApp().url}/api/auth/login`, { method: 'POST', data: device })
  expect(answer.status()).toBe(200)
  await page.goto('/account')
  const logOut = page.getByRole('button', { name: /^Sign out (?!everywhere)/ })
  await expect(logOut).toHaveCount(1)
  await context.setOffline(true)
  await logOut.click()
  await expect(page.getByText(OFFLINE)).toBeVisible()
  // The toast is below the bar that says that the browser is offline.
  const bar = await page.getByText("You're offline. This page may be out of date.").boundingBox()
  const toast = await page.getByText('Error', { exact: true }).first().boundingBox()
  expect(toast!.y).toBeGreaterThan(bar!.y + bar!.height)
  await expect(page.getByRole('heading', { name: 'Your devices' })).toBeVisible()
  await expect(logOut).toBeFocused()
  // This toast is plain text, because its script cannot be loaded now. It closes like any other.
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible()
  await expect(page.getByText(OFFLINE)).toHaveCount(0, { timeout: 15_000 })
  await context.setOffline(false)
  await logOut.click()
  await expect(page.getByText('Signed out on that device').first()).toBeVisible()
  await expect(logOut).toHaveCount(0)
})

test('an appeal keeps its text while the connection is lost, and can be sent afterwards', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await shop.query(`UPDATE "User" SET "isSuspended" = true WHERE "id" = $1`, [seller.id])
  await signIn(page.context(), seller)
  await page.goto('/appeal')
  const words = page.getByLabel('Why is this a mistake?')
  await words.fill('It is my own design.')
  const restoreConnection = await loseConnection(page)
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(refusal(page, GENERIC)).toBeVisible()
  await expect(words).toBeFocused()
  await expect(words).toHaveValue('It is my own design.')
  await restoreConnection()
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText("We've received your appeal.")).toBeVisible()
})

test('a review stays in the queue while the server cannot be reached, and is approved afterwards', async ({
  page,
  shop,
  drop,
}) => {
  const body = new URLSearchParams({ category: 'counterfeit', details: 'A copy.' })
  const headers = { 'x-forwarded-for': freshAddress() }
  await fetch(`${shop.url}/api/drop/${drop.identifier}/report`, { method: 'POST', body, headers, redirect: 'manual' })
  const admin = { email: 'admin', password: 'lastcall-demo' }
  const answer = await page.request.post(`${shop.url}/api/auth/login`, { data: admin })
  expect(answer.status()).toBe(200)
  await page.goto('/admin/reviews')
  const link = page.getByRole('link', { name: drop.title })
  const approve = page
    .locator('div')
    .filter({ has: link })
    .filter({ has: page.getByRole('button', { name: 'Approve' }) })
    .last()
    .getByRole('button', { name: 'Approve' })
  const restoreConnection = await loseConnection(page, badGateway)
  await approve.click()
  await expect(toast(page, GENERIC)).toBeVisible()
  await expect(approve).toBeFocused()
  await expect(link).toBeVisible()
  await restoreConnection()
  await approve.click()
  await expect(link).toHaveCount(0)
})
