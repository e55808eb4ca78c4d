// Tests what two settings of the operator change on the screens, on a server with these settings: the limit of
// unverified sellers (docs/product.md#limit-of-unverified-sellers) and Stripe Tax (docs/product.md#stripe-tax). It also
// checks the page of a paused platform, because no other test may run meanwhile.
import { expect, type Page, test } from '@playwright/test'
import { expectGoodScreen } from '../support/screen-checks'
import { startApp } from '../support/start-app.mjs'
import { until } from '../support/until'
import { buy, createDrop, forget, type Shop, shopAt, signIn, signUp } from '../support/e2e'

type App = Awaited<ReturnType<typeof startApp>>

test.describe.configure({ mode: 'default', timeout: 120_000 })

let app: App
let shop: Shop

test.beforeAll(async () => {
  const settings = { UNVERIFIED_MONTHLY_CAP_CENTS: '5000', UNVERIFIED_HOME_COUNTRY: 'DE', STRIPE_TAX: '1' }
  app = await startApp({ env: { SEED_DEMO: '0', LOG_LEVEL: 'silent', ...settings } })
  shop = shopAt(app.url, app.databaseUrl)
})

test.afterAll(async () => {
  if (!app) return
  await forget(app.databaseUrl)
  await app.stop()
})

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test('a new seller sells up to the monthly limit, in the home country, and both sides read why', async ({
  page,
  context,
  browser,
}) => {
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller, { quantity: '5', price: '24.00' })
  await buy(shop, drop.id)
  await buy(shop, drop.id)
  const buyer = await browser.newContext()
  const shopping = await buyer.newPage()
  await shopping.goto(`${app.url}/drop/${drop.identifier}`)
  await expect(shopping.getByText('Germany', { exact: false }).first()).toBeVisible()
  await buyButton(shopping).click()
  await expect(
    shopping.getByText("You weren't charged", { exact: false }).filter({ visible: true }).first(),
  ).toBeVisible()
  await expect(shopping.getByText('this seller can accept this month', { exact: false }).first()).toBeVisible()
  await buyer.close()

  await signIn(context, seller, shop)
  await page.goto(app.url)
  await expect(page.getByText('$48.00 of $50.00 used this month')).toBeVisible()
  await page.goto(`${app.url}/account/seller`)
  await expect(page.getByText('$48.00 of $50.00')).toBeVisible()
  await expect(page.getByText('up to $50.00 a month, and ship only within Germany.', { exact: false })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to payouts' })).toHaveAttribute('href', '/payouts')
})

test('with Stripe Tax, buyers pay on Stripe’s page, and both sides read the tax in the price', async ({
  page,
  context,
}) => {
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller, { quantity: '5', price: '24.00' })
  await page.goto(`${app.url}/checkout/${drop.id}?code=FRIENDS`)
  expect(page.url()).toBe(`${app.url}/drop/${drop.identifier}?code=FRIENDS`)
  await page.goto(`${app.url}/checkout/${drop.id}`)
  expect(page.url()).toBe(`${app.url}/drop/${drop.identifier}`)
  await expect(buyButton(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Demo Pay' })).toHaveCount(0)

  await buy(shop, drop.id)
  const [order] = await shop.query<{ id: string; token: string }>(
    'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1',
    [drop.id],
  )
  // 24 × 19 ÷ 119 is 3.83.
  await page.goto(`${app.url}/o/${order!.token}`)
  await expect(page.getByText('Tax, included')).toBeVisible()
  await page.goto(`${app.url}/o/${order!.token}/receipt`)
  await expect(page.getByRole('row', { name: 'Tax, included $3.83' })).toBeVisible()
  await signIn(context, seller, shop)
  await page.goto(`${app.url}/orders/${order!.id}`)
  await expect(page.getByText('Tax, paid by us')).toBeVisible()
  await expect(page.getByText('−$3.83')).toBeVisible()
  await page.goto(`${app.url}/payouts`)
  await page.getByText(drop.title).first().click()
  await expect(page.getByText('Platform fee and tax')).toBeVisible()
})

test('the page of a paused platform has no violation, for visitors and for sellers', async ({ page, context }) => {
  const seller = await signUp(shop)
  await shop.query('UPDATE "PlatformSettings" SET "isActive" = false')
  try {
    await until('pause', async () => (await fetch(app.url)).status === 503)
    for (const reader of ['visitor', 'seller']) {
      if (reader === 'seller') await signIn(context, seller, shop)
      await page.goto(app.url)
      await expect(page.getByRole('heading', { name: 'Paused for a moment' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Your orders' })).toHaveCount(reader === 'seller' ? 1 : 0)
      await expectGoodScreen(page, `paused, ${reader}`)
      await page.setViewportSize({ width: 390, height: 844 })
    }
  } finally {
    await shop.query('UPDATE "PlatformSettings" SET "isActive" = true')
  }
})
