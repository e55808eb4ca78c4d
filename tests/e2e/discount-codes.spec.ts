// Tests discount codes: a seller makes a code, buyers use the code from a link or type it, and the code is used up or
// ended.
import { expect } from '@playwright/test'
import {
  createDrop,
  mailTo,
  createSellerAndDrop,
  openMore,
  pay,
  signIn,
  signUp,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { expectGoodScreen, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const orderOf = async (dropId: number) =>
  (
    await testedApp().query<{ id: string; token: string; discountCode: string; amountCents: number }>(
      'SELECT "id", "token", "discountCode", "amountCents" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
      [dropId],
    )
  )[0]!

/** Writes a discount code of a drop directly into the database. */
const insertCode = (dropId: number, code: string, percent = 20, maxUses: number | null = null) =>
  testedApp().query('INSERT INTO "DiscountCode" ("dropId", "code", "percent", "maxUses") VALUES ($1, $2, $3, $4)', [
    dropId,
    code,
    percent,
    maxUses,
  ])

test('a seller makes a code, a buyer pays less through its link, and both see the code on the order', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const title = uniqueName('Linen bag')
  const drop = await createDrop(shop, seller, { title, price: '24.00', quantity: '5' })
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the form shows the reduced price, and shows each error at its field', async () => {
    await page.goto('/')
    await openMore(page)
    await page.getByText('Discount codes').click()
    await page.getByLabel('Code', { exact: true }).fill('a b')
    await page.getByLabel('Off each unit').fill('95')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/3 to 20 letters/)
    await page.getByLabel('Code', { exact: true }).fill('friends')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByLabel('Off each unit')).toHaveAccessibleDescription(/1 to 90/)
    await page.getByLabel('Discount type').selectOption('offCents')
    await page.getByLabel('Off each unit').fill('23.60')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByLabel('Off each unit')).toHaveAccessibleDescription(/at most \$23\.50/)
    await page.getByLabel('Off each unit').fill('4.80')
    await expect(page.getByText('Buyers pay $19.20 instead of $24.00.')).toBeVisible()
    await page.getByLabel('Total orders').fill('1')
    await expectGoodScreen(page, 'discount codes of a drop')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByText('$4.80 off. Buyers pay $19.20 each.')).toBeVisible()
    await expect(page.getByText('Used 0 of 1 times.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy link with FRIENDS' })).toBeVisible()
  })

  const buyer = await (await browser.newContext()).newPage()
  await test.step('the buyer sees the price with the code before paying', async () => {
    await buyer.goto(`/drop/${drop.identifier}?code=friends`)
    await expect(buyer.getByLabel('Discount code')).toHaveValue('friends')
    await expectGoodScreen(buyer, 'drop page with a code')
    await buyer.getByRole('button', { name: 'Buy with code' }).click()
    await expect(buyer.getByRole('heading', { name: 'Pay $19.20' })).toBeVisible()
    await expect(buyer.getByText('Code FRIENDS takes $4.80 off.')).toBeVisible()
  })

  await test.step('a buyer who comes too late sees the reason and can pay without the code', async () => {
    const other = await (await browser.newContext()).newPage()
    await openHydrated(other, `/drop/${drop.identifier}`)
    await other.getByText('Have a code?').click()
    await other.getByLabel('Discount code').fill('FRIEND')
    await other.getByRole('button', { name: 'Buy with code' }).click()
    await expect(other.getByText('This code is not valid.')).toBeVisible()
    await expect(other.getByText('Check the spelling, or buy without a code.')).toBeVisible()
    await expect(other.getByLabel('Discount code')).toBeFocused()
    await other.getByLabel('Discount code').fill('FRIENDS')
    await other.getByLabel('Discount code').press('Enter')
    const problem = other.getByText("Every remaining use of “FRIENDS” is in someone's checkout.")
    await expect(problem).toBeVisible()
    // After a second identical refusal, the message is still there and the field has the focus again.
    await other.getByRole('button', { name: 'Buy with code' }).click()
    await expect(problem).toBeVisible()
    await expect(other.getByLabel('Discount code')).toBeFocused()
    await expectGoodScreen(other, 'drop page with a refused code')
    await other.getByRole('button', { name: 'Remove code' }).click()
    await other.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(other.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  })

  await test.step('the receipt, the order pages, the email and both CSV files contain the code', async () => {
    const { sessionId } = await pay(buyer.url(), email)
    await buyer.goto(`/success-payment?session_id=${sessionId}`)
    await expect(buyer.getByText('You paid $19.20')).toBeVisible()
    const order = await orderOf(drop.id)
    expect(order).toMatchObject({ discountCode: 'FRIENDS', amountCents: 1920 })
    await expect.poll(async () => (await mailTo(shop, email)).map(({ text }) => text)).toHaveLength(1)
    expect((await mailTo(shop, email))[0]?.text).toContain('FRIENDS, −$4.80')
    await buyer.goto(`/o/${order.token}`)
    await expect(buyer.getByText('FRIENDS, −$4.80')).toBeVisible()
    await buyer.goto(`/o/${order.token}/receipt`)
    await expect(buyer.getByText('Discount code FRIENDS')).toBeVisible()
    await expectGoodScreen(buyer, 'receipt with a discount')
    await page.goto(`/orders/${order.id}`)
    await expect(page.getByText('Code FRIENDS')).toBeVisible()
    expect(await (await page.request.get('/orders/export.csv')).text()).toMatch(/,FRIENDS,4\.80,/)
    expect(await (await page.request.get('/payouts/statement.csv')).text()).toMatch(/,FRIENDS,4\.80,/)
  })

  await test.step('the seller sees the total of the discounts', async () => {
    await page.goto('/')
    await openMore(page)
    await page.getByText('Discount codes').click()
    await expect(page.getByText('Used 1 of 1 times. Discounts so far: $4.80.')).toBeVisible()
    await expect(page.getByText('Used up')).toBeVisible()
    await expect(page.getByText('$19.20', { exact: true })).toBeVisible()
  })
})

test('when a seller ends a code early, the drop page offers no code field, and a link with the code is refused', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const drop = await createDrop(shop, seller)
  await insertCode(drop.id, 'SPRING-20')
  await page.goto('/')
  await openMore(page)
  await page.getByText('Discount codes').click()
  await page.getByRole('button', { name: 'End now: SPRING-20' }).click()
  await expect(page.getByRole('dialog')).toContainText("New buyers can't use it anymore.")
  await page.getByRole('button', { name: 'End the code' }).click()
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
  const buyer = await (await browser.newContext()).newPage()
  await buyer.goto(`/drop/${drop.identifier}`)
  await expect(buyer.getByRole('button', { name: 'Buy – ' })).toBeVisible()
  await expect(buyer.getByText('Have a code?')).toHaveCount(0)
  await openHydrated(buyer, `/drop/${drop.identifier}?code=SPRING-20`)
  await buyer.getByRole('button', { name: 'Buy with code' }).click()
  await expect(buyer.getByText('“SPRING-20” has ended.')).toBeVisible()
})

test('without JavaScript, a code from a link works, and a buyer with a wrong code can buy without a code', async ({
  browser,
}) => {
  const { drop } = await createSellerAndDrop()
  await insertCode(drop.id, 'FRIENDS', 50)
  const price = drop.priceCents / 100
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`/drop/${drop.identifier}?code=friends`)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(page.getByRole('heading', { name: `Pay $${(price / 2).toFixed(2)}` })).toBeVisible()
  await page.goto(`/drop/${drop.identifier}`)
  await page.getByText('Have a code?').click()
  await page.getByLabel('Discount code').fill('NOPE')
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(page.getByRole('heading', { name: "This code can't be used" })).toBeVisible()
  await expect(page.getByText('This code is not valid.')).toBeVisible()
  await page.getByRole('button', { name: 'Buy without the code' }).click()
  await expect(page.getByRole('heading', { name: `Pay $${price.toFixed(2)}` })).toBeVisible()
})

test('our payment page shows the price with the code, and a message when others hold the last use of the code', async ({
  browser,
}) => {
  const { drop } = await createSellerAndDrop()
  await insertCode(drop.id, 'FRIENDS', 50, 1)
  const half = `$${(drop.priceCents / 200).toFixed(2)}`
  const page = await (await browser.newContext()).newPage()
  await page.goto(`/checkout/${drop.id}?code=friends`)
  await expect(page.getByText('Code FRIENDS')).toBeVisible()
  await expect(page.getByRole('button', { name: `Pay ${half}` })).toBeVisible()
  await expectGoodScreen(page, 'payment page with a code')
  const other = await (await browser.newContext()).newPage()
  await other.goto(`/checkout/${drop.id}?code=friends`)
  await expect(other.getByText("Every remaining use of “FRIENDS” is in someone's checkout.")).toBeVisible()
  await other.getByRole('link', { name: 'Buy without the code' }).click()
  await expect(other.getByRole('button', { name: `Pay $${(drop.priceCents / 100).toFixed(2)}` })).toBeVisible()
  await other.goto(`/checkout/${drop.id}?code=nope`)
  await expect(other.getByText('This code is not valid.')).toBeVisible()
})
