// A drop in sizes: a seller types them, a visitor chooses one, and each size runs out on its own.
import { expect, test } from '@playwright/test'
import {
  freshAddress,
  mailTo,
  openShopWindow,
  pay,
  postJson,
  signIn,
  signUp,
  theShop,
  uniqueName,
} from '../support/e2e'
import { drawing } from '../support/photos'

const valuesOf = async (dropId: number) =>
  (
    await theShop().query<{ value: string; quantity: number; sold: number; held: number }>(
      'SELECT "value", "quantity", "sold", "held" FROM "OptionValue" WHERE "dropId" = $1 ORDER BY "position"',
      [dropId],
    )
  ).map(({ value, quantity, sold, held }) => `${value} ${sold}/${held} of ${quantity}`)

/** Opens a checkout for one size without a browser. */
async function take(dropId: number, size: string) {
  const body = { dropId, selectedVariants: { Size: size } }
  const headers = { 'x-forwarded-for': freshAddress() }
  const response = await postJson(`${theShop().url}/api/checkout/create-session`, body, headers)
  return (await response.json()) as { url?: string; error?: string; code?: string }
}

async function sell(dropId: number, size: string) {
  const { url, error } = await take(dropId, size)
  if (!url) throw new Error(`the checkout did not open: ${error}`)
  const { sessionId } = await pay(url, `${uniqueName('buyer')}@example.com`)
  await (await fetch(`${theShop().url}/api/order/${sessionId}`)).arrayBuffer()
}

test('a seller types the sizes in one field, a buyer chooses one and sees it on the order', async ({
  page,
  context,
  browser,
}) => {
  const shop = theShop()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const title = uniqueName('Linen shirt')
  const email = `${uniqueName('bea')}@example.com`

  await test.step('publishes; the sizes take less than ten seconds', async () => {
    await page.goto('/create')
    await page.getByLabel('Product Name').fill(title)
    await page.getByLabel('Description').fill('Cut and sewn by hand.')
    await page.getByLabel('Add product images').setInputFiles([drawing()])
    await page.getByLabel('Price').fill('24')
    const startedAt = Date.now()
    await page.getByText('Sizes, colors or other choices: none').click()
    await page.getByLabel('Choices with their units').pressSequentially('S 1, M 10, s 5', { delay: 120 })
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByLabel('Choices with their units')).toHaveAccessibleDescription(/“s” is there twice/)
    await page.getByLabel('Choices with their units').fill('S 1, M 10, L 5')
    await expect(page.getByText('Sizes, colors or other choices: 3, with 16 units')).toBeVisible()
    await expect(page.getByLabel('Quantity')).toHaveValue('16')
    const seconds = (Date.now() - startedAt) / 1000
    console.log(`Typing three sizes, with one mistake mended: ${seconds.toFixed(1)} s`)
    expect(seconds).toBeLessThan(10)
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible({ timeout: 30_000 })
  })

  const link = await page.getByText(/^http:\/\/\S+\/drop\/d[a-z0-9]{9}$/).innerText()
  const [drop] = await shop.query<{ id: number }>('SELECT "id" FROM "Drop" WHERE "title" = $1', [title])
  const buyer = await (await browser.newContext()).newPage()

  await test.step('the buyer has to choose, and pays for what was chosen', async () => {
    await buyer.goto(link)
    await expect(buyer.getByText('16 of 16 left')).toBeVisible()
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

  await test.step('it is on the order, in the receipt, in the list of orders and on the slip', async () => {
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

  await test.step('the sold-out size is refused and has its own line', async () => {
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

test('an open page follows each size', async ({ page }) => {
  const { drop, path } = await openShopWindow({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
  await page.goto(path)
  await expect(page.getByText('2 left', { exact: true })).toBeVisible()
  const { url } = await take(drop.id, 'S')
  await expect(page.getByText('In checkout', { exact: true })).toBeVisible()
  await pay(url!, `${uniqueName('buyer')}@example.com`)
  await expect(page.getByText('Sold out', { exact: true })).toBeVisible({ timeout: 15_000 })
  await sell(drop.id, 'M')
  await expect(page.getByText('1 left', { exact: true })).toBeVisible({ timeout: 15_000 })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the chips are sent with the form, and a missing or sold-out size has a page of its own', async ({ page }) => {
    const { drop, path } = await openShopWindow({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
    await page.goto(path)
    await page.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(page.getByText('Please choose a Size.')).toBeVisible()
    await page.goto(path)
    const opened = await take(drop.id, 'S')
    await pay(opened.url!, `${uniqueName('buyer')}@example.com`)
    await page.getByText('1 left').click()
    await page.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(page.getByText(/^(S is sold out\.|Every remaining S is in someone's checkout\.)/)).toBeVisible()
    // That page takes an address for the line of the size.
    const email = `${uniqueName('waits')}@example.com`
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Remind me' }).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    const wanted = await theShop().query<{ value: string }>(
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

test('the embedded form says what was chosen, and refuses what cannot be bought', async ({ page }) => {
  const { drop } = await openShopWindow({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
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

test('a seller raises a size during the run and sees at the field what cannot be', async ({ page, context }) => {
  const { seller, drop } = await openShopWindow({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
  await sell(drop.id, 'M')
  await signIn(context, seller)
  await page.goto('/')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
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
