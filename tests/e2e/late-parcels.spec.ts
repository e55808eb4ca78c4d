// Tests the promise to ship on a phone: the drop page, the question about a late parcel, and a changed address.
import { expect, type Page } from '@playwright/test'
import { buy, mailTo, createSellerAndDrop, signIn } from '../support/e2e'
import { expectAwake, expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'

async function promisedOrder() {
  const { shop, seller, drop, path } = await createSellerAndDrop({ shipsFrom: 'DE', shipsWithin: '7' })
  const { email } = await buy(shop, drop.id)
  const [order] = await shop.query<{ id: string; token: string }>(
    'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [drop.id],
  )
  /** Moves the promised day into the past. A job of the server then asks the buyer. */
  const passDay = () =>
    shop.query(`UPDATE "Order" SET "shipsBy" = date_trunc('day', now()) - interval '3 days' WHERE "id" = $1`, [
      order!.id,
    ])
  return { shop, seller, drop, path, email, ...order!, passDay }
}

const promise = /Ships from Germany by [A-Z][a-z]{2} \d+, \d{4}\./

async function openUntilAsked(page: Page, token: string) {
  await expect(async () => {
    await page.goto(`/o/${token}`)
    await expect(page.getByRole('heading', { name: 'Do you want to wait?' })).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
}

test('the drop page and the order show the promise, and a buyer of a late parcel agrees to wait', async ({ page }) => {
  const { shop, seller, path, token, id, email, passDay } = await promisedOrder()
  await page.goto(path)
  await expect(page.getByRole('region', { name: 'About this purchase' })).toContainText(promise)
  await page.goto(`/o/${token}`)
  await expect(page.getByText(promise)).toBeVisible()
  await page.goto(`/o/${token}/receipt`)
  await expect(page.getByText(promise)).toBeVisible()

  await passDay()
  await openUntilAsked(page, token)
  await expect(page.getByText("Your order hasn't shipped yet.")).toBeVisible()
  await expectGoodScreen(page, 'question about a late parcel')
  expect((await mailTo(shop, email)).map(({ subject }) => subject).join()).toContain('Your order is late')

  // The seller names another day, so the day on the buyer's page is out of date.
  const desk = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 390, height: 844 } })
  await signIn(desk, seller)
  const order = await desk.newPage()
  await order.goto(`/orders/${id}`)
  await expect(order.getByRole('heading', { name: 'Your buyer decides' })).toBeVisible()
  const field = order.getByLabel('New day to ship')
  await expectAwake(field)
  const ask = order.getByRole('button', { name: 'Ask your buyer to wait' })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await field.fill(inDays(-1))
  await ask.click()
  await expect(field).toHaveAccessibleDescription(/Choose a day after today/)
  await field.fill(inDays(20))
  await ask.click()
  await expect(order.getByText('We asked your buyer', { exact: true })).toBeVisible()
  await expectGoodScreen(order, 'late order of the seller')
  await desk.close()

  const wait = page.getByRole('button', { name: /^Wait until/ })
  await wait.click()
  await expect(page.getByRole('alert').filter({ hasText: 'The seller has named another day.' })).toBeVisible()
  await wait.click()
  await expect(page.getByText('Thanks for waiting.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Do you want to wait?' })).toBeHidden()
  await expect(page.getByText('You agreed to wait until')).toBeVisible()
})

test('without JavaScript, a buyer of a late parcel gets the money back', async ({ browser }) => {
  const { token, passDay, shop, id } = await promisedOrder()
  await passDay()
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await openUntilAsked(page, token)
  await page.getByRole('button', { name: 'Get a full refund' }).click()
  await expect(page.getByText("We're refunding you.")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your refund is on its way' })).toBeVisible()
  expect(
    await shop.query('SELECT "status"::text, "refundedCents" = "amountCents" AS "isAll" FROM "Order" WHERE "id" = $1', [
      id,
    ]),
  ).toEqual([{ status: 'refunded', isAll: true }])
  await context.close()
})

test('a buyer changes the address and undoes it, and the seller sees that the printed slip is outdated', async ({
  page,
}) => {
  const { seller, token, id } = await promisedOrder()
  const desk = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 390, height: 844 } })
  await signIn(desk, seller)
  const slips = await desk.newPage()
  await slips.goto(`/orders/slips?order=${id}`)
  await expectAwake(slips.getByRole('button', { name: 'Print' }))
  const noted = slips.waitForResponse((response) => response.request().method() === 'POST')
  await slips.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await noted

  await page.goto(`/o/${token}`)
  await page.getByText('Change the address', { exact: true }).click()
  const city = page.getByLabel('City')
  await expectAwake(city)
  await page.getByLabel('Full name').fill('Bea Costa')
  await page.getByLabel('Country').selectOption('PT')
  await page.getByLabel('Address line 1').fill('Rua Nova 5')
  await city.fill('Lisbon')
  await page.getByLabel('Postal code').fill('1200-001')
  await page.getByLabel('Phone').fill('+351 555 0100')
  await expectGoodScreen(page, 'form for another address')
  await page.getByRole('button', { name: 'Save the address' }).click()
  await expect(page.getByText("We've changed your address and emailed you and the seller.")).toBeVisible()
  await expect(page.getByText('Address changed', { exact: true })).toBeVisible()
  await expectGoodScreen(page, 'order with a changed address')
  // Saving the same address again changes nothing, and nobody gets an email.
  await page.getByText('Change the address', { exact: true }).click()
  await page.getByRole('button', { name: 'Save the address' }).click()
  await expect(page.getByText('We already have this address, so nothing changed.')).toBeVisible()
  await expect(page.getByText('Address changed', { exact: true })).toHaveCount(1)

  await slips.goto('/orders?show=ship')
  await expect(slips.getByText('New address')).toBeVisible()
  await slips.goto(`/orders/${id}/ship?slip=0`)
  await expect(slips.getByRole('heading', { name: 'Your printed slip has the old address' })).toBeVisible()
  await expectGoodScreen(slips, 'page of an outdated slip')
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await expect(page.getByText("We've restored your earlier address and emailed you and the seller.")).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo the change' })).toBeHidden()
  // The seller's page still shows the address from before the undo.
  await slips.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(slips.getByText('The buyer changed the address after you opened this page.')).toBeVisible()
  await slips.reload()
  await slips.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(slips.getByText('That was the last one. Everything has shipped.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Change the address', { exact: true })).toBeHidden()
  await desk.close()
})
