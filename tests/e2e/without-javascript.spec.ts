// Records a purchase without JavaScript, with plain forms alone, and how a seller signs in and publishes a drop. The
// pages say what needs JavaScript (docs/product.md#without-javascript).
import { expect } from '@playwright/test'
import { newId } from '@/lib/kernel/id'
import { cardPageAnswers } from '../support/card-page'
import {
  createSellerAndDrop,
  freshAddress,
  goodFields,
  signIn,
  signUp,
  stockOf,
  testedApp,
  toForm,
  uniqueName,
} from '../support/e2e'
import { drawing, plainPhoto } from '../support/photos'
import { test } from '../support/recorded-run'

test.use({ javaScriptEnabled: false })

// Without JavaScript, a browser cannot solve the work that a network with many abandoned checkouts has to do. The other
// tests leave some at the address of this machine, so these browsers have addresses of their own.
test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

test('a buyer can buy a drop and request a refund without JavaScript', async ({ page, recording }) => {
  const { shop, drop, path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
  await page.goto(path)
  await expect(page.getByText(/^This clock needs JavaScript to count down\. The drop ends .+ UTC\.$/)).toBeVisible()
  await recording.screen('Drop page')
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
  await expect(page.getByRole('heading', { name: 'Pay $48.00' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 2 })
  await recording.screen('Payment page')
  await page.getByRole('button', { name: 'Pay $48.00' }).click()
  await expect(page.getByRole('alert')).toContainText('Please fix 7 fields')
  await expect(page.getByLabel('Email')).toBeFocused()
  await recording.screen('Payment page with seven problems')
  for (const [label, value] of Object.entries(cardPageAnswers(`${uniqueName('bea')}@example.com`))) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: 'Pay $48.00' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await recording.screen('Success page')
  await page.getByRole('link', { name: 'View your order' }).click()
  await expect(page.getByRole('heading', { name: 'Thanks for your order' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toEqual({ quantity: 3, sold: 2, held: 0 })
  await recording.screen('Order page')
  await page.locator('summary', { hasText: /^Request a refund$/ }).click()
  await page.getByLabel('Your message').filter({ visible: true }).fill('It does not fit.')
  await page.getByRole('button', { name: 'Send' }).filter({ visible: true }).click()
  await expect(page.getByText('Request sent.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Request sent.' })).toBeFocused()
  await recording.screen('Order page after the request')
  const refunds = await shop.query(
    `SELECT FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId" WHERE o."dropId" = $1`,
    [drop.id],
  )
  expect(refunds).toHaveLength(1)
})

test('the sign-in pages and the create form say what needs JavaScript', async ({ page, context, recording }) => {
  const { seller } = await createSellerAndDrop()
  const notice = page.locator('noscript p').filter({ visible: true })
  for (const path of ['/login', '/signup', '/login?mode=signup']) {
    await page.goto(path)
    await expect(notice).toContainText('Turn on JavaScript')
    await recording.screen(`Sign-in page ${path}`)
  }
  await signIn(context, seller)
  await page.goto('/create')
  await expect(notice).toContainText('Turn on JavaScript')
  await recording.screen('Create form')
})

test('a seller signs in and publishes a drop without JavaScript, and a buyer can buy it', async ({
  page,
  browser,
  recording,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await page.goto('/create')
  await expect(page.getByRole('button', { name: /passkey|Show password|New here/ })).toHaveCount(0)
  await recording.screen('Sign-in form')
  await page.getByLabel('Username').fill(`@${seller.username}`)
  await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: "You're not signed in yet" })).toBeVisible()
  await expect(page.getByText('Invalid email/username or password')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue(`@${seller.username}`)
  await expect(page.getByLabel('Password')).toHaveValue('')
  await expect(page.getByLabel('Password')).toBeFocused()
  await recording.screen('Wrong password')
  await page.getByLabel('Password').fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).click()

  await expect(page).toHaveURL('/create')
  await expect(page.getByRole('button', { name: 'Create Drop' })).toHaveCount(1)
  await recording.screen('Create form')
  // The usual form is still in the page, but hidden.
  const form = page.locator('form.plain-form')
  const title = uniqueName('Mug')
  await form.getByLabel('Product Name').fill(title)
  await form.getByLabel('Description').fill('Made by hand.\nHolds a <large> coffee.')
  await form.getByLabel('Price').fill('abc')
  await form.getByLabel('Quantity').fill('2')
  await form.getByLabel('Duration').selectOption('48 hours')
  await form.getByLabel('Shipping Note').fill('Packed in paper')
  await form.getByLabel('Photo 1').setInputFiles([drawing()])
  await page.getByRole('button', { name: 'Create Drop' }).click()

  await expect(page.getByRole('heading', { name: "Your drop isn't published yet" })).toBeVisible()
  await expect(form.getByLabel('Price')).toBeFocused()
  await expect(form.getByLabel('Price')).toHaveAccessibleDescription(/^Invalid Price\. Please enter a valid price/)
  await expect(page.getByText(/^Choose your photos again\./)).toBeVisible()
  await recording.screen('Create form with a wrong price')
  const kept = {
    'Product Name': title,
    Price: 'abc',
    Quantity: '2',
    Duration: '48',
    'Shipping Note': 'Packed in paper',
  }
  for (const [label, value] of Object.entries(kept)) await expect(form.getByLabel(label)).toHaveValue(value)
  await expect(form.getByLabel('Description')).toHaveValue('Made by hand.\nHolds a <large> coffee.')
  await form.getByLabel('Price').fill('24,00')
  await form.getByLabel('Photo 1').setInputFiles([drawing()])
  await page.getByRole('button', { name: 'Create Drop' }).click()

  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  const link = await page.getByText(/^http:\/\/\S+\/drop\/d[a-z0-9]{9}$/).innerText()
  await recording.screen('Drop created')
  const [drop] = await shop.query(
    `SELECT "priceCents", "quantity", "duration", "shippingNote", "description" FROM "Drop" WHERE "title" = $1`,
    [title],
  )
  expect(drop).toEqual({
    ...{ priceCents: 2400, quantity: 2, duration: 48, shippingNote: 'Packed in paper' },
    description: 'Made by hand.\nHolds a <large> coffee.',
  })

  const extraHTTPHeaders = { 'x-forwarded-for': freshAddress() }
  const buyer = await browser.newContext({ javaScriptEnabled: false, extraHTTPHeaders })
  const shopPage = await buyer.newPage()
  await shopPage.goto(link)
  await shopPage.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
  for (const [label, value] of Object.entries(cardPageAnswers(`${uniqueName('bea')}@example.com`))) {
    await shopPage.getByLabel(label, { exact: true }).fill(value)
  }
  await shopPage.getByRole('button', { name: 'Pay $24.00' }).click()
  await expect(shopPage.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await buyer.close()
})

test('the forms of a seller without JavaScript are refused when another site posts them', async ({ shop }) => {
  const seller = await signUp(shop)
  const post = (path: string, body: BodyInit, headers: Record<string, string>) =>
    fetch(shop.url + path, { method: 'POST', redirect: 'manual', headers: { accept: 'text/html', ...headers }, body })
  const drop = () => toForm({ ...goodFields(), idempotencyKey: newId('form') }, [drawing()])
  const login = () => new URLSearchParams({ identifier: seller.username, password: seller.password })
  const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
  for (const from of foreign) {
    for (const answer of [
      await post('/login', login(), from),
      await post('/two-factor', new URLSearchParams({ code: '123456' }), from),
      await post('/api/drops/form', drop(), { ...from, cookie: seller.cookie }),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(await answer.text()).toContain('come from our own site')
    }
  }
  const own = { origin: shop.url, 'sec-fetch-site': 'same-origin' }
  expect((await post('/login?redirect=/create', login(), own)).headers.get('location')).toBe('/create')
  // Next cuts the bodies of pages at 10 MB, so the form with photos must not go to a page.
  const photo = await plainPhoto()
  const large = { ...photo, buffer: Buffer.concat([photo.buffer, Buffer.alloc(12 * 1024 * 1024)]) }
  const form = toForm({ ...goodFields(), idempotencyKey: newId('form') }, [large])
  const published = await post('/api/drops/form', form, { ...own, cookie: seller.cookie })
  expect([published.status, published.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/success\?drop=/),
  ])
})
