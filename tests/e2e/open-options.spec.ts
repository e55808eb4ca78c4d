// Tests an open edition in several sizes on a phone, from the create form to the packing slip. No size has a stock of
// its own, so no page says how many are left, and all sizes are closed together.
import { expect } from '@playwright/test'
import { fillCreateForm, openFold, publishDrop } from '../support/fill-create-form'
import { createSellerAndDrop, mailTo, pay, postJson, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { expectGoodScreen, expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const PHONE = { width: 390, height: 844 }

test('a seller publishes an open edition in sizes from a phone, and a buyer orders one size', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  await page.setViewportSize(PHONE)
  const title = uniqueName('Linen shirt')
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the form takes only names, and says what to do about a number', async () => {
    await page.goto('/create')
    await fillCreateForm(page, title, '30')
    await page.getByText('Sizes, colors or other choices: none').click()
    await page.getByLabel('Choices with their units').fill('S 5, M 10, L 5')
    await openFold(page, 'Limited edition, not numbered')
    await page.getByRole('radio', { name: 'Open As many' }).check({ force: true })
    const choices = page.getByLabel('Choices', { exact: true })
    await expect(choices).toHaveValue('S, M, L')
    await expect(page.getByText('Sizes, colors or other choices: S, M, L')).toBeVisible()
    await page.getByRole('radio', { name: 'Limited' }).check({ force: true })
    await expect(page.getByLabel('Choices with their units')).toHaveValue('S 5, M 10, L 5')
    await page.getByRole('radio', { name: 'Open As many' }).check({ force: true })
    await choices.fill('S, M 10, L')
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(choices).toHaveAccessibleDescription(/Write “M” without the 10, or “M-10”/)
    await choices.fill('S, M, L, XL')
    await expectGoodScreen(page, 'create-open-options')
  })

  const link = await publishDrop(page)
  const [drop] = await shop.query<{ id: number; quantity: number }>(
    'SELECT "id", "quantity" FROM "Drop" WHERE "title" = $1',
    [title],
  )
  expect(drop!.quantity).toBe(1_000)
  const visitor = await (await browser.newContext({ viewport: PHONE })).newPage()

  await test.step('the drop page asks for a size, and says how many are ordered in all', async () => {
    await visitor.goto(link)
    await expect(visitor.getByText('0 ordered so far')).toBeVisible()
    await expectHydrated(visitor)
    await expect(visitor.getByRole('radio', { name: 'XL', exact: true })).toBeAttached()
    expect(await visitor.locator('main').innerText()).not.toMatch(/\d left|Sold out/)
    await visitor.getByRole('button', { name: 'Buy – $30.00' }).last().click()
    await expect(visitor.getByText('Please choose a Size.')).toBeVisible()
    await visitor.getByText('M', { exact: true }).click()
    await expectGoodScreen(visitor, 'open-options')
    await visitor.getByRole('button', { name: 'Buy – $30.00' }).last().click()
    await expect(visitor.getByRole('heading', { name: 'Pay $30.00' })).toBeVisible()
    const { sessionId } = await pay(visitor.url(), email)
    await visitor.goto(`/success-payment?session_id=${sessionId}`)
    await expect(visitor.getByText(`${title} (Size M)`)).toBeVisible()
    await visitor.goto(link)
    await expect(visitor.getByText('1 ordered so far')).toBeVisible()
  })

  await test.step('the receipt, the order, the slip and the CSV file name the size and the number', async () => {
    await expect
      .poll(async () => (await mailTo(shop, email)).map(({ subject }) => subject))
      .toEqual([`Your order: ${title} (Size M)`])
    const [order] = await shop.query<{ id: string; token: string }>(
      'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1',
      [drop!.id],
    )
    await visitor.goto(`/o/${order!.token}`)
    await expect(visitor.getByText(`${title} (Size M)`).first()).toBeVisible()
    await expect(visitor.getByText('No. 1', { exact: true })).toBeVisible()
    await visitor.goto(`/o/${order!.token}/receipt`)
    await expect(visitor.getByText(`${title} (Size M)`).first()).toBeVisible()
    await page.goto(`/orders/slips?order=${order!.id}`)
    await expect(page.getByRole('cell', { name: `${title} (Size M)` })).toBeVisible()
    expect(await (await page.request.get('/orders/export.csv')).text()).toContain(`${title} (Size M)`)
  })

  await test.step('the seller sees the orders of each size, and can change only the cap after the first sale', async () => {
    await page.goto('/')
    await expect(page.getByText('Ordered: S 0 · M 1 · L 0 · XL 0')).toBeVisible()
    await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
    await expect(page.getByLabel('Safety cap')).toHaveValue('1000')
    await expect(page.getByRole('dialog').getByLabel('Size')).toHaveCount(0)
    await page.getByLabel('Safety cap').fill('40')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('1 ordered so far, cap 40')).toBeVisible()
    const values = await shop.query<{ quantity: number }>('SELECT "quantity" FROM "OptionValue" WHERE "dropId" = $1', [
      drop!.id,
    ])
    expect(values.map(({ quantity }) => quantity)).toEqual([40, 40, 40, 40])
  })
})

test('before the first sale the sizes can be changed, and no size is sold out before the cap is reached', async ({
  page,
  context,
}) => {
  const fields = { isOpenEdition: 'true', optionName: 'Size', options: 'S, M', quantity: '1' }
  const { shop, seller, drop, path } = await createSellerAndDrop(fields)
  await signIn(context, seller)
  await page.goto('/')
  await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
  const choices = page.getByRole('dialog').getByLabel('Size')
  await expect(choices).toHaveValue('S, M')
  await choices.fill('S, M 3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(choices).toHaveAccessibleDescription(/Write “M” without the 3/)
  await choices.fill('S, M, L')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Ordered: S 0 · M 0 · L 0')).toBeVisible()

  const public_ = await (await fetch(`${shop.url}/api/drop/${drop.identifier}`)).json()
  expect(public_.option).toEqual({
    name: 'Size',
    values: ['S', 'M', 'L'].map((value) => ({ value, left: 1, inCheckout: 0 })),
  })
  await page.goto(path)
  await expect(page.locator('#options').getByText('L', { exact: true })).toBeVisible()
  const opened = await postJson(`${shop.url}/api/checkout/create-session`, {
    dropId: drop.id,
    selectedVariants: { Size: 'L' },
  })
  const { url } = (await opened.json()) as { url: string }
  await expect(page.getByText('0 ordered so far, 1 in checkout')).toBeVisible({ timeout: 15_000 })
  await expect(page.locator('#options').getByText('S', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'All in checkout' })).toBeVisible()
  expect(await page.locator('main').innerText()).not.toContain('sold out')
  const { sessionId } = await pay(url, `${uniqueName('buyer')}@example.com`)
  await (await fetch(`${shop.url}/api/order/${sessionId}`)).arrayBuffer()
  await expect(page.getByRole('heading', { name: /^The only unit that/ })).toBeVisible({ timeout: 15_000 })
  await expect(page.locator('#options')).toHaveCount(0)
})
