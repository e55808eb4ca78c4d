// Tests buying with a wallet on the drop page. In the sandbox, "Demo Pay" stands for Apple Pay and Google Pay.
import { devices, expect } from '@playwright/test'
import {
  createDrop,
  freshAddress,
  mailTo,
  openCheckout,
  createSellerAndDrop,
  type Shop,
  signUp,
  stockOf,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'
import {
  buyButton,
  confirm,
  holdBack,
  ordersOf,
  said,
  sheet,
  success,
  waitForPayment,
  walletButton,
} from '../support/wallet-page'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

/** Within this time the units of a closed sheet are back on sale. */
const FREE_WITHIN_MS = 5_000

const digital = { productType: 'digital', digitalFileUrl: 'https://files.example/notes.pdf', price: '7.50' }

/** Reads from the public call how many units are in checkout, as another visitor would. */
async function inCheckout(shop: Shop, identifier: string): Promise<number> {
  const answer = await fetch(`${shop.url}/api/drop/${identifier}?${Math.random()}`)
  return ((await answer.json()) as { inCheckout: number }).inCheckout
}

test.describe('in the browser of another app', () => {
  test.use({ userAgent: `${devices['iPhone 13'].userAgent} Instagram 355.1.0.32.90 (iPhone16,1)` })

  test('a buyer buys a parcel with two taps and without typing', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
    const startedAt = Date.now()
    await page.goto(path)
    await walletButton(page).tap()
    await expect(sheet(page)).toContainText('Shipping included')
    await expect(sheet(page)).toContainText('Total$24.00')
    await confirm(page).tap()
    await expect(success(page)).toBeVisible()
    const seconds = (Date.now() - startedAt) / 1000
    console.log(`From the link to a bought parcel with a wallet: ${seconds.toFixed(1)} s, 2 taps, 0 fields`)
    const [order] = await waitForPayment(shop, drop.id)
    expect(order).toMatchObject({
      ...{ amountCents: 2400, quantity: 1, buyerEmail: 'dana@example.com', buyerPhone: '+1 555 555 0123' },
      ...{ shipName: 'Dana Demo', shipLine1: '1 Demo Street', shipPostalCode: '94103', shipCountry: 'US' },
    })
    expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 1, held: 0 })
    expect((await mailTo(shop, 'dana@example.com')).map(({ subject }) => subject)).toContain(
      `Your order: ${drop.title}`,
    )
  })

  test('a buyer buys a download with two taps, and is not asked for an address', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop(digital, { plan: 'pro' })
    const startedAt = Date.now()
    await page.goto(path)
    await walletButton(page).tap()
    await expect(sheet(page).getByLabel('Ship to')).toHaveCount(0)
    await confirm(page).tap()
    await expect(success(page)).toBeVisible()
    const seconds = (Date.now() - startedAt) / 1000
    console.log(`From the link to a bought download with a wallet: ${seconds.toFixed(1)} s, 2 taps, 0 fields`)
    const [order] = await waitForPayment(shop, drop.id)
    expect(order).toMatchObject({ amountCents: 750, buyerEmail: 'dana@example.com', shipLine1: null })
  })
})

test('closing the sheet frees the unit within five seconds, and the next tap pays', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
  await expect.poll(() => inCheckout(shop, drop.identifier)).toBe(1)
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  const closedAt = Date.now()
  await expect.poll(() => inCheckout(shop, drop.identifier), { intervals: [50] }).toBe(0)
  const ms = Date.now() - closedAt
  console.log(`A closed sheet freed its unit after ${ms} ms`)
  expect(ms).toBeLessThan(FREE_WITHIN_MS)
  await expect(sheet(page)).toHaveCount(0)
  await expect(buyButton(page)).toBeEnabled()
  await expect(page.getByText('Reserved for you')).toHaveCount(0)

  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect.poll(() => inCheckout(shop, drop.identifier), { intervals: [50] }).toBe(0)

  await walletButton(page).click()
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 1, held: 0 })
})

test('leaving the page while the sheet is open frees the unit', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
  await expect.poll(() => inCheckout(shop, drop.identifier)).toBe(1)
  await page.goto('/terms-of-service')
  const leftAt = Date.now()
  await expect.poll(() => inCheckout(shop, drop.identifier), { intervals: [50] }).toBe(0)
  expect(Date.now() - leftAt).toBeLessThan(FREE_WITHIN_MS)
})

test('after a declined card another card pays, even one for which the bank asks the buyer to confirm', async ({
  page,
}) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1', price: '24.00' })
  await page.goto(path)
  await walletButton(page).click()
  await sheet(page).getByLabel('Card').selectOption('Visa •••• 0002 (is declined)')
  await confirm(page).click()
  await expect(said(page, "You weren't charged. Your card was declined.")).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  // The last unit waits for the second card.
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 1 })

  await walletButton(page).click()
  await sheet(page).getByLabel('Card').selectOption('Visa •••• 3220 (the bank asks)')
  await confirm(page).click()
  await page.getByRole('dialog', { name: 'Confirm your payment' }).getByRole('button', { name: 'Approve' }).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 1, held: 0 })
})

test('after a declined card, Buy continues to the payment page with the same unit', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1', price: '24.00' })
  await page.goto(path)
  await walletButton(page).click()
  await sheet(page).getByLabel('Card').selectOption('Visa •••• 0002 (is declined)')
  await confirm(page).click()
  await expect(said(page, "You weren't charged. Your card was declined.")).toBeVisible()
  await buyButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  // Leaving the drop page must not free the unit of the payment page.
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 1 })
})

test('an incomplete address is refused in the sheet, and another address pays', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  await walletButton(page).click()
  await sheet(page).getByLabel('Ship to').selectOption('1 Demo Street, without a postal code')
  await confirm(page).click()
  await expect(sheet(page).getByRole('alert')).toHaveText(
    "You weren't charged. Enter the postal code. You can change this in your wallet, or buy with a card.",
  )
  expect(await ordersOf(shop, drop.id)).toEqual([])
  await sheet(page).getByLabel('Ship to').selectOption('1 Demo Street, San Francisco')
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
})

test('a unit that someone else takes after the page has loaded is refused before the sheet opens', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  // The page must not learn about the other buyer before the tap.
  await page.route(/\/events$|\/api\/drop\//, (route) => route.abort())
  await page.goto(path)
  await expect(walletButton(page)).toBeVisible()
  await openCheckout(shop, drop.id)
  await walletButton(page).click()
  await expect(said(page, "Every remaining unit is in someone's checkout.")).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 1 })
})

test('a refusal that comes after the sheet has opened is shown in the sheet', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  const held = await holdBack(page, '**/api/checkout/wallet', async (route) => {
    await openCheckout(shop, drop.id)
    await route.continue()
  })
  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
  held.letGo()
  await confirm(page).click()
  await expect(sheet(page).getByRole('alert')).toContainText("Every remaining unit is in someone's checkout.")
  expect(await ordersOf(shop, drop.id)).toEqual([])
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 1 })
})

test('the wallet buys with the option, the quantity and the code that were chosen on the page', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const options = { optionName: 'Size', options: 'S 2, M 5' }
  const drop = await createDrop(shop, seller, { title: uniqueName('Shirt'), price: '24.00', ...options })
  await shop.query('INSERT INTO "DiscountCode" ("dropId", "code", "percent") VALUES ($1, $2, 20)', [drop.id, 'FRIENDS'])
  await page.goto(`/drop/${drop.identifier}?code=friends`)
  await walletButton(page).click()
  await expect(page.getByText('Please choose a Size.')).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  await page.getByText('5 left', { exact: true }).click()
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  await walletButton(page).click()
  await expect(sheet(page)).toContainText(`${drop.title} (Size M) × 2`)
  await expect(sheet(page)).toContainText('Total$38.40')
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  const [order] = await waitForPayment(shop, drop.id)
  expect(order).toMatchObject({ quantity: 2, amountCents: 3840, optionValue: 'M', discountCode: 'FRIENDS' })
})

test('a code that does not exist is refused at its field, and a price that arrives too late opens no sheet', async ({
  page,
}) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '2', price: '24.00' })
  await shop.query('INSERT INTO "DiscountCode" ("dropId", "code", "percent") VALUES ($1, $2, 20)', [drop.id, 'FRIENDS'])
  const prepared = page.waitForResponse('**/api/checkout/wallet/prepare')
  await page.goto(`${path}?code=NOPE`)
  await prepared
  await walletButton(page).click()
  await expect(page.getByText('This code is not valid.')).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)

  await page.getByLabel('Discount code').fill('FRIENDS')
  const held = await holdBack(page, '**/api/checkout/wallet', (route) => route.continue())
  await walletButton(page).click()
  await expect(said(page, 'That took too long')).toBeVisible()
  held.letGo()
  await expect.poll(async () => (await stockOf(shop, drop.id)).held).toBe(1)
  await expect(sheet(page)).toHaveCount(0)
  // The next tap gets the units that were held too late, however slow the network is.
  await page.route('**/api/checkout/wallet', (route) => route.abort())
  await walletButton(page).click()
  await expect(sheet(page)).toContainText('Total$19.20')
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
})

test('a double tap holds one unit and opens one sheet', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '3' })
  await page.goto(path)
  await walletButton(page).dblclick()
  await expect(sheet(page)).toHaveCount(1)
  await expect.poll(async () => (await stockOf(shop, drop.id)).held).toBe(1)
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 1, held: 0 })
})

test('two tabs of one browser pay once', async ({ page, context }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '3' })
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(path)
    await walletButton(tab).click()
    await expect(sheet(tab)).toBeVisible()
  }
  await expect.poll(async () => (await stockOf(shop, drop.id)).held).toBe(1)
  for (const tab of [page, other]) {
    await confirm(tab).click()
    await expect(success(tab)).toBeVisible()
  }
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 1, held: 0 })
})

test('without a connection the sheet stays closed, and the next tap works', async ({ page }) => {
  const { path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  await page.route('**/api/checkout/wallet', (route) => route.abort())
  await walletButton(page).click()
  await expect(said(page, 'Failed to start checkout')).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  await page.unroute('**/api/checkout/wallet')
  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
})

test('when a proof of work is required, a tap continues to the payment page', async ({ page }) => {
  const { path } = await createSellerAndDrop({ quantity: '2', price: '24.00' })
  await page.goto(path)
  await page.route('**/api/checkout/wallet', (route) =>
    route.fulfill({ status: 429, json: { error: 'Many people are buying this.', code: 'WORK_NEEDED', work: 'a.b' } }),
  )
  await walletButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
})

test('without a wallet the page has only its Buy button, and the layout does not shift in either case', async ({
  page,
  context,
}) => {
  const { path } = await createSellerAndDrop({ quantity: '3', price: '24.00' })
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
    const moves: { value: number; moved: string[] }[] = []
    Object.assign(window, { moves })
    const describe = (node: Node | null) => (node instanceof Element ? node.outerHTML : node?.nodeValue)?.slice(0, 200)
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[])
        moves.push({ value, moved: sources.map(({ node }) => describe(node) ?? 'removed') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const moved = () =>
    page.evaluate(() => (window as typeof window & { moves: { value: number; moved: string[] }[] }).moves)
  for (const size of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await context.clearCookies()
    await page.goto(path)
    await expect(walletButton(page)).toBeVisible()
    // Stripe allows heights from 40 to 55 px, and a thumb needs 44.
    const { height } = (await walletButton(page).boundingBox())!
    expect.soft(height >= 44 && height <= 55, `the height ${height}`).toBe(true)
    expect
      .soft(
        (await moved()).reduce((sum, { value }) => sum + value, 0),
        JSON.stringify(size),
      )
      .toBeLessThan(0.01)

    await context.addCookies([{ name: 'sandbox-wallet', value: 'off', url: testedApp().url }])
    await page.goto(path)
    await expect(page.locator('[data-wallet-slot] > div')).toHaveCount(1)
    await expect(walletButton(page)).toHaveCount(0)
    await expect(page.locator('[data-ready]')).toHaveCount(0)
    expect.soft(await moved(), JSON.stringify(size)).toEqual([])
  }
  await buyButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
})

test('the page with a wallet and the sheet are accessible', async ({ page }) => {
  const { path } = await createSellerAndDrop({ quantity: '3' })
  await page.goto(path)
  await expect(walletButton(page)).toBeVisible()
  await expectGoodScreen(page, 'drop page with a wallet')
  await page.setViewportSize({ width: 390, height: 844 })
  await walletButton(page).click()
  await expect(confirm(page)).toBeFocused()
  await expectGoodScreen(page, 'sheet of a wallet')
})

test('a drop that cannot be bought offers no wallet', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await shop.query('UPDATE "Drop" SET "isActive" = false WHERE "id" = $1', [drop.id])
  await page.goto(path)
  await expect(buyButton(page)).toHaveText('Paused')
  await expect(page.locator('[data-wallet-slot] > div')).toHaveCount(0)
})
