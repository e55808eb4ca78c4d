// Tests a drop with sizes: a seller types the sizes, a buyer chooses one, and each size sells out separately.
import { expect } from '@playwright/test'
import { fillCreateForm, publishDrop } from '../support/fill-create-form'
import {
  freshAddress,
  mailTo,
  createSellerAndDrop,
  pay,
  postJson,
  signIn,
  signUp,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const valuesOf = async (dropId: number) =>
  (
    await testedApp().query<{ value: string; quantity: number; sold: number; held: number }>(
      'SELECT "value", "quantity", "sold", "held" FROM "OptionValue" WHERE "dropId" = $1 ORDER BY "position"',
      [dropId],
    )
  ).map(({ value, quantity, sold, held }) => `${value} ${sold}/${held} of ${quantity}`)

/** Opens a checkout for one size without a browser. */
async function take(dropId: number, size: string) {
  const body = { dropId, selectedVariants: { Size: size } }
  const headers = { 'x-forwarded-for': freshAddress() }
  const response = await postJson(`${testedApp().url}/api/checkout/create-session`, body, headers)
  return (await response.json()) as { url?: string; error?: string; code?: string }
}

async function sell(dropId: number, size: string) {
  const { url, error } = await take(dropId, size)
  if (!url) throw new Error(`the checkout did not open: ${error}`)
  const { sessionId } = await pay(url, `${uniqueName('buyer')}@example.com`)
  await (await fetch(`${testedApp().url}/api/order/${sessionId}`)).arrayBuffer()
}

test('a seller types the sizes in one field, and a buyer chooses a size and sees this size on the order', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const title = uniqueName('Linen shirt')
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the seller types the sizes in less than ten seconds and publishes the drop', async () => {
    await page.goto('/create')
    await fillCreateForm(page, title, '24')
    const startedAt = Date.now()
    await page.getByText('Sizes, colors or other choices: none').click()
    await page.getByLabel('Choices with their units').pressSequentially('S 1, M 10, s 5', { delay: 120 })
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByLabel('Choices with their units')).toHaveAccessibleDescription(/“s” is listed twice/)
    await page.getByLabel('Choices with their units').fill('S 1, M 10, L 5')
    await expect(page.getByText('Sizes, colors or other choices: 3, with 16 units')).toBeVisible()
    await expect(page.getByLabel('Quantity')).toHaveValue('16')
    const seconds = (Date.now() - startedAt) / 1000
    console.log(`Typing three sizes, with one mistake corrected: ${seconds.toFixed(1)} s`)
    expect(seconds).toBeLessThan(10)
  })

  const link = await publishDrop(page)
  const [drop] = await shop.query<{ id: number }>('SELECT "id" FROM "Drop" WHERE "title" = $1', [title])
  const buyer = await (await browser.newContext()).newPage()

  await test.step('the buyer has to choose a size, and pays for the chosen size', async () => {
    await buyer.goto(link)
    await expect(buyer.getByText('16 of 16 left')).toBeVisible()
    await expectHydrated(buyer)
    await buyer.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(buyer.getByText('Please choose a Size.')).toBeVisible()
    await expect(buyer.getByRole('radio', { name: /^S/ })).toBeFocused()
    await buyer.getByText('1 left').click()
    await expect(buyer.getByText('Please choose a Size.')).toBeHidden()
    await buyer.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(buyer.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
    await expect(buyer.getByText(`${title} (Size S)`).first()).toBeVisible()
    expect(await valuesOf(drop!.id)).toEqual(['S 0/1 of 1', 'M 0/0 of 10', 'L 0/0 of 5'])
    const { sessionId } = await pay(buyer.url(), email)
    await buyer.goto(`/success-payment?session_id=${sessionId}`)
    await expect(buyer.getByText(`${title} (Size S)`)).toBeVisible()
  })

  await test.step('the size is shown in the receipt email, on the order page, in the list of orders, on the packing slip and in the CSV', async () => {
    await expect
      .poll(async () => (await mailTo(shop, email)).map(({ subject }) => subject))
      .toEqual([`Your order: ${title} (Size S)`])
    const [order] = await shop.query<{ id: string; token: string }>(
      'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1',
      [drop!.id],
    )
    await buyer.goto(`/o/${order!.token}`)
    await expect(buyer.getByText(`${title} (Size S)`).first()).toBeVisible()
    await page.goto('/orders')
    await expect(page.getByText(`${title} (Size S)`).first()).toBeVisible()
    await page.goto(`/orders/slips?order=${order!.id}`)
    await expect(page.getByRole('cell', { name: `${title} (Size S)` })).toBeVisible()
    const csv = await page.request.get('/orders/export.csv')
    expect(await csv.text()).toContain(`${title} (Size S)`)
  })

  await test.step('the sold-out size is refused and has its own waitlist', async () => {
    await buyer.goto(link)
    await buyer.getByText('Sold out', { exact: true }).click()
    await expect(buyer.getByRole('heading', { name: 'S is sold out' })).toBeVisible()
    await expect(buyer.getByRole('button', { name: 'Sold out' }).first()).toBeDisabled()
    await expect(buyer.getByLabel('Size', { exact: true })).toHaveValue('S')
    expect(await take(drop!.id, 'S')).toMatchObject({ code: 'OPTION_SOLD_OUT', error: 'S is sold out.' })
    await buyer.getByText('10 left').click()
    await expect(buyer.getByRole('heading', { name: 'S is sold out' })).toBeHidden()
    await expect(buyer.getByRole('button', { name: 'Buy – $24.00' }).first()).toBeEnabled()
  })
})

test('an open page updates the stock of each size', async ({ page }) => {
  const { drop, path } = await createSellerAndDrop({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
  await page.goto(path)
  await expect(page.getByText('2 left', { exact: true })).toBeVisible()
  const { url } = await take(drop.id, 'S')
  await expect(page.getByText('In checkout', { exact: true })).toBeVisible()
  await pay(url!, `${uniqueName('buyer')}@example.com`)
  await expect(page.getByText('Sold out', { exact: true })).toBeVisible({ timeout: 15_000 })
  await sell(drop.id, 'M')
  await expect(page.getByText('1 left', { exact: true })).toBeVisible({ timeout: 15_000 })
})

test('after a reminder for one size, the page still offers one for the other size, even if the first was chosen in the form', async ({
  page,
}) => {
  const { drop, path } = await createSellerAndDrop({ optionName: 'Size', options: 'S 1, M 1', quantity: '1' })
  await sell(drop.id, 'S')
  await sell(drop.id, 'M')
  await page.goto(path)
  await expectHydrated(page)
  const chip = (size: string) => page.getByRole('group', { name: 'Size' }).getByText(size, { exact: true })
  await chip('S').click()
  await page.getByLabel('Size', { exact: true }).and(page.locator('select')).selectOption('M')
  await page
    .getByLabel('Email', { exact: true })
    .first()
    .fill(`${uniqueName('waits')}@example.com`)
  await page.getByRole('button', { name: 'Remind me' }).filter({ visible: true }).first().click()
  const sent = page.getByText('Check your inbox')
  await expect(sent).toBeVisible()
  // The reminder is for M, so the page still offers one for S after another look at M.
  await chip('M').click()
  await expect(sent).toBeVisible()
  await chip('S').click()
  await expect(sent).toHaveCount(0)
  await expect(page.locator('#remind-email')).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the form sends the size, and a missing or sold-out size leads to a page with an error', async ({ page }) => {
    const { drop, path } = await createSellerAndDrop({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
    await page.goto(path)
    await page.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(page.getByText('Please choose a Size.')).toBeVisible()
    await page.goto(path)
    const opened = await take(drop.id, 'S')
    await pay(opened.url!, `${uniqueName('buyer')}@example.com`)
    await page.getByText('1 left').click()
    await page.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(page.getByText(/^(S is sold out\.|Every remaining S is in someone's checkout\.)/)).toBeVisible()
    // The page with the error accepts an email address for the waitlist of the size.
    const email = `${uniqueName('waits')}@example.com`
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Remind me' }).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    const wanted = await testedApp().query<{ value: string }>(
      'SELECT v."value" FROM "WaitlistEntry" e JOIN "OptionValue" v ON v."id" = e."askedValueId" WHERE e."email" = $1',
      [email],
    )
    expect(wanted).toEqual([{ value: 'S' }])
    await page.goto(path)
    await page.getByText('2 left').click()
    await page.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
    expect((await valuesOf(drop.id))[1]).toBe('M 0/1 of 2')
  })
})

test('the embedded checkout shows the chosen size, and refuses a missing, unknown or sold-out size', async ({
  page,
}) => {
  const { drop } = await createSellerAndDrop({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
  const open = (variants: string) => page.goto(`/checkout/${drop.id}?variants=${encodeURIComponent(variants)}`)
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByText('Please choose a Size.')).toBeVisible()
  await open('{"Size":"XXL"}')
  await expect(page.getByText("This drop doesn't come in “XXL”.")).toBeVisible()
  await open('{"Size":"M"}')
  await expect(page.getByText('Size: M')).toBeVisible()
  await expect.poll(async () => (await valuesOf(drop.id))[1]).toBe('M 0/1 of 2')
  await sell(drop.id, 'S')
  await open('{"Size":"S"}')
  await expect(page.getByText('S is sold out.')).toBeVisible()
})

test('a seller can raise the units of a size, but not lower them below the sold units', async ({ page, context }) => {
  const { seller, drop } = await createSellerAndDrop({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
  await sell(drop.id, 'M')
  await signIn(context, seller)
  await page.goto('/')
  await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
  const field = page.getByLabel('Size with units')
  await expect(field).toHaveValue('S 1, M 2')
  await field.fill('S 1, M 0')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(field).toHaveAccessibleDescription(/“M” can't go below 1/)
  await field.fill('S 4, M 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved').first()).toBeVisible()
  expect(await valuesOf(drop.id)).toEqual(['S 0/0 of 4', 'M 1/0 of 2'])
})
