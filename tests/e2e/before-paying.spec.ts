// Tests what a buyer reads before paying, and that every place names the same price.
import { expect, type Page } from '@playwright/test'
import { fillCardPage } from '../support/card-page'
import { CARD, createSellerAndDrop, freshAddress, mailTo, stockOf, uniqueName } from '../support/e2e'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

test('a double tap on Buy opens one checkout, and the first tap disables the button', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '5' })
  const calls: string[] = []
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/checkout/create-session', async (route) => {
    calls.push(route.request().url())
    await held
    await route.continue()
  })
  await openHydrated(page, path)
  await buyButton(page).dblclick()
  await expect(buyButton(page)).toHaveAttribute('aria-disabled', 'true')
  await expect(buyButton(page)).toHaveText('Processing...')
  await buyButton(page).click({ force: true })
  letGo()
  await expect(page.getByRole('heading', { name: /^Pay \$/ })).toBeVisible()
  expect(calls).toHaveLength(1)
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1, sold: 0 })
})

test('both payment pages name the total, the currency and the seller', async ({ page }) => {
  const { seller, drop, path } = await createSellerAndDrop({ price: '24.00' })
  await page.goto(`/checkout/${drop.id}`)
  const summary = page.getByRole('region', { name: "What you're buying" })
  await expect(summary).toContainText(`by @${seller.username}`)
  await expect(summary).toContainText('$24.00 USD')
  await expect(page.getByRole('button', { name: 'Pay $24.00' })).toBeEnabled()
  await openHydrated(page, path)
  await buyButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  await expect(page.getByText(`Sold by @${seller.username}`)).toBeVisible()
  await expect(page.getByText('USD').first()).toBeVisible()
})

test('the price is the same on the page, in previews, in the API, at Stripe, in the order and in the emails', async ({
  page,
}) => {
  const { shop, seller, path } = await createSellerAndDrop({ price: '1234.5', quantity: '2' })
  await openHydrated(page, path)
  await expect(page.getByText('$1,234.50 USD')).toBeVisible()
  await expect(buyButton(page)).toHaveText('Buy – $1,234.50')
  const head = (name: string) => page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content')
  expect(await head('og:description')).toMatch(/^\$1,234\.50 · /)
  expect(await head('twitter:description')).toMatch(/^\$1,234\.50 · /)
  expect(await head('product:price:amount')).toBe('1234.50')
  const jsonLd = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(jsonLd!)).toMatchObject({ offers: { price: '1234.50', priceCurrency: 'USD' } })
  expect(await (await page.request.get(`/api${path}`)).json()).toMatchObject({ price: '1234.50' })

  await buyButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $1,234.50' })).toBeVisible()
  const email = `${uniqueName('bea')}@example.com`
  await fillCardPage(page, email)
  await page.getByRole('button', { name: 'Pay $1,234.50' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  const sessionId = new URL(page.url()).searchParams.get('session_id')
  const [session] = await shop.query<{ total: number; currency: string }>(
    `SELECT ("json"->>'amount_total')::int AS "total", "json"->>'currency' AS "currency"
       FROM "SandboxObject" WHERE "kind" = 'checkout.session' AND "id" = $1`,
    [sessionId],
  )
  expect(session).toEqual({ total: 123_450, currency: 'usd' })
  expect(await (await page.request.get(`/api/order/${sessionId}`)).json()).toMatchObject({
    amount: '1234.50',
    platformFee: '61.73',
    sellerPayout: '1172.77',
  })
  const [receipt] = await mailTo(shop, email)
  expect(receipt!.text).toContain('$1,234.50')
  await expect
    .poll(async () => (await mailTo(shop, seller.email)).map(({ text }) => text).join())
    .toContain('$1,234.50')
  await page.getByRole('link', { name: 'View your order' }).click()
  await expect(page.getByText('$1,234.50 USD')).toBeVisible()
})

test('the success page of a download survives a reload, and says what happens next', async ({ page }) => {
  const fields = { productType: 'digital', digitalFileUrl: 'https://files.example/notes.pdf', price: '7.50' }
  const { path } = await createSellerAndDrop(fields, { plan: 'pro' })
  await openHydrated(page, path)
  await buyButton(page).click()
  await page.getByLabel('Email').fill(`${uniqueName('bea')}@example.com`)
  await page.getByLabel('Card number').fill(CARD.pays)
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Pay $7.50' }).click()
  for (const open of [() => Promise.resolve(), () => page.reload()]) {
    await open()
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
    await expect(page.getByText(/^We emailed your receipt and order link to /)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open your file' })).toHaveAttribute('href', /^\/o\/\w+\/download$/)
    await expect(page.getByRole('link', { name: 'View your order' })).toBeVisible()
  }
})
