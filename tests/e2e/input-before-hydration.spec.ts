// A slow phone shows a page long before React hydrates it. What is typed or pressed before hydration must take effect
// exactly once.
import { expect, type Page } from '@playwright/test'
import { moveEnd, openCheckout, createSellerAndDrop, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { expectAwake } from '../support/screen-checks'
import { test } from '../support/test'

/** Holds the scripts back, so that the page is not hydrated. Returns a function that lets the scripts load. */
async function holdScripts(page: Page): Promise<() => void> {
  let wake = () => {}
  const isAwake = new Promise<void>((resolve) => (wake = resolve))
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    await isAwake
    await route.continue()
  })
  return wake
}

test('a login form that is sent before hydration logs the seller in after hydration', async ({ page }) => {
  const seller = await signUp(testedApp())
  const wake = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Username').fill(seller.username)
  await page.getByLabel('Password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByLabel('Username')).toHaveValue(seller.username)
  wake()
  // After hydration the page sends the form.
  await expect(page.getByRole('heading', { name: `Hi @${seller.username}` })).toBeVisible()
})

test('a title and a price that are typed before hydration are kept and merged with an earlier draft', async ({
  page,
}) => {
  await signIn(page.context(), await signUp(testedApp()))
  await page.goto('/create-drop')
  await page.getByLabel('Description').fill('Thrown by hand.')
  await expect
    .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }).includes('Thrown by hand.')))
    .toBe(true)
  const wake = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await page.getByLabel('Product Name').fill('Speckled cup')
  await page.getByLabel('Price').fill('24.50')
  wake()
  await expect(page.getByText("You'll earn about")).toBeVisible()
  await expect(page.getByLabel('Product Name')).toHaveValue('Speckled cup')
  await expect(page.getByLabel('Price')).toHaveValue('$24.50')
  await expect(page.getByLabel('Description')).toHaveValue('Thrown by hand.')
})

test('an email address that is typed before hydration is kept and sent', async ({ page, shop, drop, path }) => {
  await moveEnd(shop, drop.id, -60)
  for (const [url, label, button, done] of [
    [path, 'Email', 'Remind me', 'Check your inbox'],
    ['/find-order', 'Email', 'Send the links', 'If there are orders with this address'],
  ] as const) {
    const wake = await holdScripts(page)
    await page.goto(url, { waitUntil: 'commit' })
    const email = page.getByLabel(label, { exact: true })
    const typed = `${uniqueName('early')}@example.com`
    await email.fill(typed)
    wake()
    await expectAwake(email)
    await expect(email).toHaveValue(typed)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(done)).toBeVisible()
    await page.unrouteAll()
  }
})

test('three taps on Buy before hydration open one checkout', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await holdScripts(page)
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  const sent: string[] = []
  await page.route('**/buy', async (route) => {
    sent.push(route.request().url())
    await isAnswered
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  const buy = page.getByRole('button', { name: /^Buy/ }).filter({ visible: true })
  // The clicks are made inside the page, because a pending navigation would block Playwright's own clicks.
  await buy.evaluate(
    (button: HTMLButtonElement) =>
      new Promise<void>((resolve) => {
        let taps = 0
        const timer = setInterval(() => {
          button.click()
          taps += 1
          if (taps < 3) return
          clearInterval(timer)
          resolve()
        }, 150)
      }),
  )
  answer()
  await expect(page).toHaveURL(/\/sandbox\/checkout\//)
  expect(sent).toHaveLength(1)
  const holds = await shop.query(`SELECT 1 FROM "Hold" WHERE "dropId" = $1`, [drop.id])
  expect(holds).toHaveLength(1)
})

test('a quantity chosen before hydration is kept', async ({ page }) => {
  const { path } = await createSellerAndDrop({ quantity: '5', price: '24.00' })
  const wake = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  const quantity = page.getByLabel('Quantity').filter({ visible: true })
  await quantity.selectOption('3')
  wake()
  await expect(page.getByRole('button', { name: 'Buy 3 – $72.00' }).filter({ visible: true })).toBeVisible()
  await expect(quantity).toHaveValue('3')
})

test('a buyer who holds the last unit can return to the checkout, and a buyer without a unit sees that all are in checkout', async ({
  page,
}) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
  await expect(page).toHaveURL(/\/sandbox\/checkout\//)
  const checkout = page.url()
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Reserved for you' })).toBeVisible()
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/checkout/create-session'))
  await page.getByRole('button', { name: 'Continue to checkout' }).filter({ visible: true }).click()
  expect((await answered).status()).toBe(200)
  await expect(page).toHaveURL(checkout)
  // The buyer gives the unit up, and another buyer takes it. The first buyer then sees the message for buyers without a
  // unit.
  await page.getByRole('link', { name: /back/i }).first().click()
  await expect(page.getByRole('button', { name: /^Buy/ }).filter({ visible: true })).toBeEnabled()
  await openCheckout(shop, drop.id)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'All in checkout' })).toBeVisible()
})
