// Tests what goes wrong while a buyer pays with a wallet: lost responses, closed sheets, declined cards.
import { expect, type Page } from '@playwright/test'
import { storageKeys } from '@/lib/client/storage-keys'
import { createDrop, createSellerAndDrop, freshAddress, signUp, stockOf, testedApp, uniqueName } from '../support/e2e'
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

const BANK = '**/sandbox/elements/*/confirm'
const start = '**/api/checkout/wallet'
const check = '**/api/checkout/wallet/check'
const cancel = '**/api/checkout/wallet/cancel'
const payment = (page: Page) => page.getByRole('link', { name: 'Check your payment' }).filter({ visible: true })
const decline = 'Visa •••• 0002 (is declined)'
const behave = (page: Page, how: string) => sheet(page).getByLabel('This demo wallet').selectOption(how)

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

/** Lets the server handle the next request to a URL, and drops the response. */
const loseResponse = (page: Page, url: string) =>
  page.route(
    url,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

/** Opens a drop's page with a wallet that can be tapped. */
async function open(page: Page, fields: Parameters<typeof createSellerAndDrop>[0]) {
  const prepared = page.waitForResponse('**/api/checkout/wallet/prepare')
  const window = await createSellerAndDrop({ price: '24.00', ...fields })
  await page.goto(window.path)
  await expect(walletButton(page)).toBeVisible()
  await prepared
  const stock = () => stockOf(window.shop, window.drop.id)
  const heldIs = (units: number) => expect.poll(async () => (await stock()).held, { timeout: 8_000 }).toBe(units)
  return { ...window, stock, heldIs }
}

test('when the response of the bank is lost, the browser reads the payment from Stripe and shows the order', async ({
  page,
}) => {
  const { shop, drop, stock } = await open(page, { quantity: '2' })
  await loseResponse(page, BANK)
  await walletButton(page).click()
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
  expect(await stock()).toMatchObject({ sold: 1, held: 0 })
  await page.goto(`/drop/${drop.identifier}`)
  await expect(buyButton(page)).toBeEnabled()
})

test('while nobody knows whether the payment went through, nothing else can be bought, even after a reload', async ({
  page,
}) => {
  const { shop, drop, stock } = await open(page, { quantity: '2' })
  await loseResponse(page, BANK)
  await page.route(/sandbox\/elements\/\w+\?client_secret/, (route) => route.abort())
  await walletButton(page).click()
  await confirm(page).click()
  await expect(payment(page)).toBeVisible()
  await expect(buyButton(page)).toHaveCount(0)
  await expect(walletButton(page)).toBeHidden()
  await page.reload()
  await expect(payment(page)).toBeVisible()
  await expect(buyButton(page)).toHaveCount(0)
  await expect(walletButton(page)).toBeHidden()
  await payment(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
  expect(await stock()).toMatchObject({ sold: 1, held: 0 })
  // The page is readable before its script has removed the record of the unclear payment.
  const unclear = () => page.evaluate((key) => sessionStorage.getItem(key), storageKeys.unclearPayment)
  await expect.poll(unclear).toBeNull()
  await page.goto(`/drop/${drop.identifier}`)
  await expect(walletButton(page)).toBeVisible()
  await expect(payment(page)).toHaveCount(0)
})

test('when the request to the bank is lost, the buyer reads that nothing was paid, and the next tap pays', async ({
  page,
}) => {
  const { shop, drop } = await open(page, { quantity: '1' })
  await page.route(BANK, (route) => route.abort(), { times: 1 })
  await walletButton(page).click()
  const [created] = await Promise.all([page.waitForRequest(check), confirm(page).click()])
  await expect(said(page, "You weren't charged. We couldn't reach the bank.")).toBeVisible()
  const { paymentIntentId } = created.postDataJSON() as { paymentIntentId: string }
  const other = await page.context().newPage()
  await other.goto(`/success-payment?session_id=${paymentIntentId}`)
  await expect(other.getByRole('heading', { name: "This order isn't paid" })).toBeVisible()
  await other.close()
  await walletButton(page).click()
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
})

test('a payment that the bank is still working on is not called a failure', async ({ page }) => {
  const { heldIs } = await open(page, { quantity: '2' })
  await page.route(BANK, (route) =>
    route.fulfill({
      status: 400,
      json: { error: { type: 'card_error', message: 'Wait.', payment_intent: { status: 'processing' } } },
    }),
  )
  await walletButton(page).click()
  await confirm(page).click()
  await page.waitForURL(/success-payment/)
  await heldIs(1)
})

test('a buyer who closes the sheet before the bank is asked pays nothing, and the unit is free again', async ({
  page,
}) => {
  const { shop, drop, heldIs } = await open(page, { quantity: '1' })
  let isAsked = false
  page.on('request', (request) => (isAsked ||= request.url().includes('/sandbox/elements/')))
  await walletButton(page).click()
  await behave(page, 'Can be closed while it pays')
  const held = await holdBack(page, check, (route) => route.continue())
  await confirm(page).click()
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(sheet(page)).toHaveCount(0)
  held.letGo()
  await heldIs(0)
  expect(await ordersOf(shop, drop.id)).toEqual([])
  expect(isAsked).toBe(false)

  // The same must happen when the address is refused after the sheet was closed.
  await walletButton(page).click()
  await sheet(page).getByLabel('Ship to').selectOption('1 Demo Street, without a postal code')
  await behave(page, 'Can be closed while it pays')
  const again = await holdBack(page, check, (route) => route.continue())
  await confirm(page).click()
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  again.letGo()
  await heldIs(0)
})

test("when Stripe's script throws, nothing is held, and the page offers only its Buy button", async ({ page }) => {
  const { heldIs } = await open(page, { quantity: '1' })
  await page.evaluate(() => {
    const { Stripe } = window as typeof window & { Stripe: () => object }
    const confirmPayment = () => {
      throw Object.assign(new Error('The capture method is wrong.'), { name: 'IntegrationError' })
    }
    Object.assign(Stripe(), { confirmPayment })
  })
  await walletButton(page).click()
  await confirm(page).click()
  await expect(said(page, 'Please use the Buy button.')).toBeVisible()
  await expect(walletButton(page)).toBeHidden()
  await heldIs(0)
  await expect(buyButton(page)).toBeEnabled()
})

test('no unit stays held when the response to a tap is lost, or when the buyer leaves the page before the response', async ({
  page,
}) => {
  const { heldIs, path } = await open(page, { quantity: '2' })
  await loseResponse(page, start)
  await walletButton(page).click()
  await expect(said(page, 'Failed to start checkout')).toBeVisible()
  await heldIs(0)

  const held = await holdBack(page, start, (route) => route.abort())
  await page.route(start, async (route) => {
    await route.fetch()
    await route.fallback()
  })
  await walletButton(page).click()
  await heldIs(1)
  await page.goto('/terms-of-service')
  await heldIs(0)
  held.letGo()
  await page.goto(path)
})

test('no unit stays held when the sheet is closed and the page is left before the response to the tap', async ({
  page,
}) => {
  const { heldIs } = await open(page, { quantity: '2' })
  const held = await holdBack(page, start, (route) => route.abort())
  // The server handles the tap and does not notice that the browser has gone.
  await page.route(start, async (route) => {
    await route.fetch()
    await route.fallback()
  })
  await walletButton(page).click()
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  await heldIs(1)
  // This dispatches only the event. During a real navigation, some browsers reject the open call and others do not.
  const leave = () => window.dispatchEvent(new PageTransitionEvent('pagehide'))
  await Promise.all([page.waitForRequest(cancel, { timeout: 3_000 }), page.evaluate(leave)])
  await heldIs(0)
  held.letGo()
})

test('Buy is disabled until the response to a tap on a wallet arrives', async ({ page }) => {
  await open(page, { quantity: '2' })
  const held = await holdBack(page, start, (route) => route.continue())
  const tapped = walletButton(page).click()
  await expect(buyButton(page)).toBeDisabled()
  held.letGo()
  await tapped
  await expect(sheet(page)).toBeVisible()
  await expect(page.locator('form[action$="/buy"] button').filter({ visible: true })).toBeEnabled()
})

test('a page that is too busy to open the sheet says so, and the unit is free again', async ({ page }) => {
  const { heldIs } = await open(page, { quantity: '1' })
  await page.evaluate(() => {
    const block = () =>
      setTimeout(() => {
        const until = performance.now() + 1_200
        while (performance.now() < until);
      }, 20)
    document.addEventListener('click', block, { once: true })
  })
  await walletButton(page).click()
  await expect(said(page, 'That took too long')).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  await heldIs(0)
  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
})

test('a release of units that never gets a response does not block the next tap', async ({ page }) => {
  const { shop, drop } = await open(page, { quantity: '2' })
  await page.route(cancel, () => undefined)
  await walletButton(page).click()
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  await walletButton(page).click()
  await confirm(page).click()
  await expect(success(page)).toBeVisible({ timeout: 10_000 })
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
})

test('a tap continues like Buy when the server says that Stripe is busy', async ({ page }) => {
  await open(page, { quantity: '2' })
  await page.route(start, (route) =>
    route.fulfill({ status: 429, json: { error: 'Please use the Buy button.', code: 'WALLET_BUSY' } }),
  )
  await walletButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
})

test('after a decline on the last unit of a value, the wallet and Buy stay available, and the wallet pays for this value', async ({
  page,
}) => {
  const shop = testedApp()
  const options = { optionName: 'Size', options: 'S 1, M 5' }
  const drop = await createDrop(shop, await signUp(shop), { title: uniqueName('Shirt'), price: '24.00', ...options })
  await page.goto(`/drop/${drop.identifier}`)
  await page.getByText('1 left', { exact: true }).click()
  await walletButton(page).click()
  await sheet(page).getByLabel('Card').selectOption(decline)
  await confirm(page).click()
  await expect(said(page, "You weren't charged. Your card was declined.")).toBeVisible()
  await expect(buyButton(page)).toHaveText('Continue to checkout')
  await expect(buyButton(page)).toBeEnabled()
  await walletButton(page).click()
  await expect(sheet(page)).toContainText('(Size S)')
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toMatchObject([{ optionValue: 'S' }])
})

test('after a decline on the last two units the next tap offers both, even after the phone was rotated', async ({
  page,
}) => {
  const { shop, drop, stock } = await open(page, { quantity: '2' })
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  await walletButton(page).click()
  await sheet(page).getByLabel('Card').selectOption(decline)
  await confirm(page).click()
  await expect(said(page, "You weren't charged. Your card was declined.")).toBeVisible()
  const { width = 0 } = page.viewportSize() ?? {}
  await page.setViewportSize(width < 768 ? { width: 1280, height: 800 } : { width: 390, height: 844 })
  await expect(walletButton(page)).toBeVisible()
  expect(await stock()).toMatchObject({ sold: 0, held: 2 })
  await walletButton(page).click()
  await expect(sheet(page)).toContainText('Total$48.00')
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toMatchObject([{ quantity: 2, amountCents: 4800 }])
})

test('a sheet that stays open after a decline asks to be closed, keeps the unit, and the next tap pays', async ({
  page,
}) => {
  const { shop, drop, stock } = await open(page, { quantity: '1' })
  await walletButton(page).click()
  await sheet(page).getByLabel('Card').selectOption(decline)
  await behave(page, 'Stays open after a decline')
  await confirm(page).click()
  await expect(said(page, "You weren't charged. Your card was declined.")).toBeVisible()
  await sheet(page).getByLabel('Card').selectOption('Visa •••• 4242')
  await confirm(page).click()
  await expect(said(page, "You weren't charged. Close your wallet, then tap its button again")).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(sheet(page)).toHaveCount(0)
  expect(await stock()).toMatchObject({ sold: 0, held: 1 })
  await walletButton(page).click()
  await confirm(page).click()
  await expect(success(page)).toBeVisible()
  expect(await waitForPayment(shop, drop.id)).toHaveLength(1)
})

test('after going back from the success page, the wallet works again', async ({ page }) => {
  const { shop, drop } = await open(page, { quantity: '3' })
  // The page stays as it is, as if it were restored from the browser's cache.
  await page.route('**/success-payment**', (route) => route.fulfill({ status: 204 }))
  await walletButton(page).click()
  const left = page.waitForResponse('**/success-payment**')
  await confirm(page).click()
  await left
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await waitForPayment(shop, drop.id)
  await walletButton(page).click()
  await expect(sheet(page)).toBeVisible()
})
