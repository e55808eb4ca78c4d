// A discount code: its seller makes it, a buyer comes with it in the link or types it, and it runs out.
import { expect, test } from '@playwright/test'
import { createDrop, mailTo, openShopWindow, pay, signIn, signUp, theShop, uniqueName } from '../support/e2e'
import { expectGoodScreen } from '../support/screen-checks'

const orderOf = async (dropId: number) =>
  (
    await theShop().query<{ id: string; token: string; discountCode: string; amountCents: number }>(
      'SELECT "id", "token", "discountCode", "amountCents" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
      [dropId],
    )
  )[0]!

/** Gives a drop a code without its seller's screens. */
const giveCode = (dropId: number, code: string, percent = 20, maxUses: number | null = null) =>
  theShop().query('INSERT INTO "DiscountCode" ("dropId", "code", "percent", "maxUses") VALUES ($1, $2, $3, $4)', [
    ...[dropId, code, percent, maxUses],
  ])

test('a seller makes a code, a buyer opens its link, pays less, and both see the code on the order', async ({
  page,
  context,
  browser,
}) => {
  const shop = theShop()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const title = uniqueName('Linen bag')
  const drop = await createDrop(shop, seller, { title, price: '24.00', quantity: '5' })
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the form says what buyers pay, and each mistake at its field', async () => {
    await page.goto('/')
    await page.getByText('Discount codes').click()
    await page.getByLabel('Code', { exact: true }).fill('a b')
    await page.getByLabel('Off each unit').fill('95')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/3 to 20 letters/)
    await page.getByLabel('Code', { exact: true }).fill('friends')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByLabel('Off each unit')).toHaveAccessibleDescription(/1 to 90/)
    await page.getByLabel('Discount in').selectOption('offCents')
    await page.getByLabel('Off each unit').fill('23.60')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByLabel('Off each unit')).toHaveAccessibleDescription(/at most \$23\.50/)
    await page.getByLabel('Off each unit').fill('4.80')
    await expect(page.getByText('Buyers pay $19.20 instead of $24.00.')).toBeVisible()
    await page.getByLabel('Orders in total').fill('1')
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

  await test.step('another buyer comes too late, reads why, and goes on without the code', async () => {
    const other = await (await browser.newContext()).newPage()
    await other.goto(`/drop/${drop.identifier}`)
    await other.getByText('Have a code?').click()
    await other.getByLabel('Discount code').fill('FRIEND')
    await other.getByRole('button', { name: 'Buy with code' }).click()
    await expect(other.getByText("“FRIEND” isn't one of this drop's codes.")).toBeVisible()
    await expect(other.getByLabel('Discount code')).toBeFocused()
    await other.getByLabel('Discount code').fill('FRIENDS')
    await other.getByLabel('Discount code').press('Enter')
    const problem = other.getByText("Every remaining use of “FRIENDS” is in someone's checkout.")
    await expect(problem).toBeVisible()
    // The same refusal again is announced and focused again.
    await other.getByRole('button', { name: 'Buy with code' }).click()
    await expect(problem).toBeVisible()
    await expect(other.getByLabel('Discount code')).toBeFocused()
    await expectGoodScreen(other, 'drop page with a refused code')
    await other.getByRole('button', { name: 'Remove code' }).click()
    await other.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(other.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  })

  await test.step('receipt, order page, mail, list of orders and CSV say the code', async () => {
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
    expect(await (await page.request.get('/orders/export.csv')).text()).toMatch(/,FRIENDS,4\.80\r?\n/)
    expect(await (await page.request.get('/payouts/statement.csv')).text()).toMatch(/,FRIENDS,4\.80\r?\n/)
  })

  await test.step('the seller sees what it cost', async () => {
    await page.goto('/')
    await page.getByText('Discount codes').click()
    await expect(page.getByText('Used 1 of 1 times. Discounts so far: $4.80.')).toBeVisible()
    await expect(page.getByText('Used up')).toBeVisible()
    await expect(page.getByText('$19.20', { exact: true })).toBeVisible()
  })
})

test('a seller ends a code early, and the page no longer asks for one', async ({ page, context, browser }) => {
  const shop = theShop()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const drop = await createDrop(shop, seller)
  await giveCode(drop.id, 'SPRING-20')
  await page.goto('/')
  await page.getByText('Discount codes').click()
  await page.getByRole('button', { name: 'End now: SPRING-20' }).click()
  await expect(page.getByRole('dialog')).toContainText("New buyers can't use it any more.")
  await page.getByRole('button', { name: 'End the code' }).click()
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
  const buyer = await (await browser.newContext()).newPage()
  await buyer.goto(`/drop/${drop.identifier}`)
  await expect(buyer.getByRole('button', { name: 'Buy – ' })).toBeVisible()
  await expect(buyer.getByText('Have a code?')).toHaveCount(0)
  await buyer.goto(`/drop/${drop.identifier}?code=SPRING-20`)
  await buyer.getByRole('button', { name: 'Buy with code' }).click()
  await expect(buyer.getByText('“SPRING-20” has ended.')).toBeVisible()
})

test('without JavaScript the code of the link and a typed code work, and a wrong one can be left out', async ({
  browser,
}) => {
  const { drop } = await openShopWindow()
  await giveCode(drop.id, 'FRIENDS', 50)
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
  await expect(page.getByText("“NOPE” isn't one of this drop's codes.")).toBeVisible()
  await page.getByRole('button', { name: 'Buy without the code' }).click()
  await expect(page.getByRole('heading', { name: `Pay $${price.toFixed(2)}` })).toBeVisible()
})

test('our own payment page shows the price with the code, and says when others have its last use', async ({
  browser,
}) => {
  const { drop } = await openShopWindow()
  await giveCode(drop.id, 'FRIENDS', 50, 1)
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
  await expect(other.getByText("“nope” isn't one of this drop's codes.")).toBeVisible()
})
