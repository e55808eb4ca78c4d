// Records a purchase without JavaScript, with plain forms alone, and how a seller signs in and publishes a drop. The
// pages say what needs JavaScript (docs/product.md#without-javascript).
import { expect } from '@playwright/test'
import { newId } from '@/lib/kernel/id'
import { cardPageAnswers } from '../support/card-page'
import {
  createSellerAndDrop,
  freshAddress,
  goodFields,
  mailTo,
  signIn,
  signUp,
  stockOf,
  testedApp,
  toForm,
  uniqueName,
} from '../support/e2e'
import { drawing, plainPhoto } from '../support/photos'
import { mailedLink } from '../support/mailed-link'
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
  for (const path of ['/login', '/signup', '/login?mode=signup', '/forgot-password', '/reset-password?token=x']) {
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

test('a visitor creates an account without JavaScript and comes to the first screen', async ({ page, recording }) => {
  const username = uniqueName('ada')
  const email = `${username}@example.com`
  await page.goto('/create')
  await page.getByRole('link', { name: 'New here? Create an account' }).click()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Already have an account? Sign in' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Fcreate',
  )
  await recording.screen('Sign-up form')
  const fill = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
  }
  await fill({ 'First name': 'Ada', 'Last name': 'Mill', Username: username, Email: email, Password: 'tiny' })
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('heading', { name: "Your account isn't created yet" })).toBeVisible()
  await expect(page.getByLabel('Password')).toBeFocused()
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
    /^Password must be at least 6 characters long\./,
  )
  await expect(page.getByLabel('Password')).toHaveValue('')
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await recording.screen('Sign-up form with a short password')
  await fill({ Password: 'speckled mug' })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/create')
  await expect(page.getByRole('button', { name: 'Create Drop' })).toHaveCount(1)

  // The email asks the new seller to confirm the address.
  await page.goto(await mailedLink(testedApp(), email, /https?:\S+\/confirm-email\?token=\S+/))
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page).toHaveURL('/confirm-email?done=1')
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible()
  await recording.screen('Confirmed address')
  await page.goBack()
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByText(/expired or was already used/)).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/signup')
  const other = uniqueName('bo')
  await fill({ 'First name': 'Bo', Username: username, Email: `${other}@example.com`, Password: 'speckled mug' })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/^This username is already taken\./)
  await fill({ Username: `@${other}`, Password: 'speckled mug' })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Turn followers into buyers')
  await recording.screen('First screen')
})

test('a visitor chooses a plan while signing up without JavaScript', async ({ page, recording }) => {
  const username = uniqueName('ada')
  await page.goto('/signup')
  const fields = { 'First name': 'Ada', Username: username, Email: `${username}@example.com`, Password: 'speckled mug' }
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Choose a plan first' }).click()
  await expect(page).toHaveURL('/plans')
  await recording.screen('Plan step')
  await page.getByRole('button', { name: 'Start with Pro' }).click()
  await expect(page).toHaveURL('/welcome')
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()
})

test('a suspended seller appeals without JavaScript', async ({ page, context, shop, recording }) => {
  const seller = await signUp(shop)
  await shop.query('UPDATE "User" SET "isSuspended" = true WHERE "id" = $1', [seller.id])
  await signIn(context, seller)
  await page.goto('/appeal')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByRole('heading', { name: "Your appeal isn't sent yet" })).toBeVisible()
  const field = page.getByLabel('Why is this a mistake?')
  await expect(field).toHaveAccessibleDescription(/^Please tell us why this is a mistake\./)
  await recording.screen('Refused appeal')
  await field.fill('The photo is my own.')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText("We've received your appeal.")).toBeVisible()
  const appeals = await shop.query('SELECT "text" FROM "Appeal" WHERE "userId" = $1', [seller.id])
  expect(appeals).toEqual([{ text: 'The photo is my own.' }])
})

test('a seller resets a forgotten password without JavaScript and signs in with the new one', async ({
  page,
  recording,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot username/password?' }).click()
  await expect(page.getByRole('tablist')).toBeHidden()
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter your email address.')
  await recording.screen('Form for a reset link without an address')
  await page.getByLabel('Email').fill(seller.email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(page).toHaveURL('/forgot-password?sent=1')
  await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveText(
    "If this address has an account, we've sent the link.",
  )
  await recording.screen('Reset link sent')

  let link = ''
  await expect(async () => {
    link = (await mailTo(shop, seller.email)).map(({ text }) => /\/reset-password\?token=\w+/.exec(text)?.[0]).join('')
    expect(link).not.toBe('')
  }).toPass()
  await page.goto(link)
  const send = async (newPassword: string, confirmation: string) => {
    await page.getByLabel('New password').fill(newPassword)
    await page.getByLabel('Confirm password').fill(confirmation)
    await page.getByRole('button', { name: 'Reset Password' }).click()
  }
  await send('a better password', 'a different password')
  await expect(page.getByRole('heading', { name: "Your password isn't changed yet" })).toBeVisible()
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/^Please make sure both passwords are/)
  await expect(page.getByLabel('New password')).toBeFocused()
  await recording.screen('Passwords that differ')
  await send('a better password', 'a better password')
  await expect(page.getByRole('heading', { name: 'Password Reset Complete' })).toBeVisible()
  await recording.screen('Password changed')
  await page.goto(link)
  await send('a better password', 'a better password')
  await expect(page.getByText('This reset link has expired or was already used.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/forgot-password')
  await page.goto('/reset-password?done=1')
  await page.getByRole('link', { name: 'Continue to Login' }).click()
  await page.getByLabel('Username').fill(seller.username)
  await page.getByRole('textbox', { name: 'Password' }).fill('a better password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Sign In' })).toHaveCount(0)
})

test('a seller gets a forgotten username by email without JavaScript', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await page.goto('/forgot-password')
  await page.getByRole('link', { name: 'Forgot your username?' }).click()
  await page.getByLabel('Email').fill(seller.email)
  await page.getByRole('button', { name: 'Send Username' }).click()
  await expect(page.getByText('Username sent to your email!')).toBeVisible()
  await expect(async () => {
    expect((await mailTo(shop, seller.email)).some(({ text }) => text.includes(`@${seller.username}`))).toBe(true)
  }).toPass()
})

test('the forms of a seller without JavaScript are refused when another site posts them', async ({ shop }) => {
  const seller = await signUp(shop)
  const post = (path: string, body: BodyInit, headers: Record<string, string>) =>
    fetch(shop.url + path, { method: 'POST', redirect: 'manual', headers: { accept: 'text/html', ...headers }, body })
  const drop = () => toForm({ ...goodFields(), idempotencyKey: newId('form') }, [drawing()])
  const login = () => new URLSearchParams({ identifier: seller.username, password: seller.password })
  const account = () => {
    const username = uniqueName('eve')
    const email = `${username}@example.com`
    return new URLSearchParams({ firstName: 'Eve', lastName: '', username, email, password: 'speckled mug' })
  }
  const reset = () => new URLSearchParams({ newPassword: 'a better password', confirmation: 'a better password' })
  const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
  for (const from of foreign) {
    for (const answer of [
      await post('/login', login(), from),
      await post('/two-factor', new URLSearchParams({ code: '123456' }), from),
      await post('/signup', account(), from),
      await post('/login?mode=signup', account(), from),
      await post('/plans', new URLSearchParams({ plan: 'free' }), from),
      await post('/appeal', new URLSearchParams({ text: 'Mine.' }), { ...from, cookie: seller.cookie }),
      await post('/forgot-password', new URLSearchParams({ email: seller.email }), from),
      await post('/forgot-username', new URLSearchParams({ email: seller.email }), from),
      await post('/reset-password?token=x', reset(), from),
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
