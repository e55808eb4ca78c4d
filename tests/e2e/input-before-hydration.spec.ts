// A slow phone shows a page long before React hydrates it. Everything typed or pressed before that must take effect, once.
import { expect, type Page, test } from '@playwright/test'
import { endsIn, openCheckout, openShopWindow, signIn, signUp, theShop, uniqueName } from '../support/e2e'
import { expectAwake } from '../support/screen-checks'

/** Keeps the page from hydrating. @returns a function that lets its scripts load. */
async function holdScripts(page: Page): Promise<() => void> {
  let wake = () => {}
  const isAwake = new Promise<void>((resolve) => (wake = resolve))
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    await isAwake
    await route.continue()
  })
  return wake
}

test('a log-in that is sent before hydration is done afterwards', async ({ page }) => {
  const seller = await signUp(theShop())
  const wake = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Username').fill(seller.username)
  await page.getByLabel('Password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByLabel('Username')).toHaveValue(seller.username)
  wake()
  // After hydration the page sends the log-in.
  await expect(page.getByRole('heading', { name: `Hi @${seller.username}` })).toBeVisible()
})

test('title and price typed before hydration are kept, together with an earlier draft', async ({ page }) => {
  await signIn(page.context(), await signUp(theShop()))
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

test('an email typed before hydration is kept and is what is sent', async ({ page }) => {
  const { shop, drop, path } = await openShopWindow()
  await endsIn(shop, drop.id, -60)
  for (const [address, label, button, done] of [
    [path, 'Email', 'Remind me', 'Check your inbox'],
    ['/find-order', 'Email', 'Send the links', 'If there are orders with this address'],
  ] as const) {
    const wake = await holdScripts(page)
    await page.goto(address, { waitUntil: 'commit' })
    const email = page.getByLabel(label)
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

test('three taps on Buy before hydration make one checkout', async ({ page }) => {
  const { shop, drop, path } = await openShopWindow({ quantity: '1' })
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
  // Clicks inside the page, because a pending navigation would block Playwright's own click.
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
  const { path } = await openShopWindow({ quantity: '5', price: '24.00' })
  const wake = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  const quantity = page.getByLabel('Quantity').filter({ visible: true })
  await quantity.selectOption('3')
  wake()
  await expect(page.getByRole('button', { name: 'Buy 3 – $72.00' }).filter({ visible: true })).toBeVisible()
  await expect(quantity).toHaveValue('3')
})

test('the buyer who holds the last unit is led back to the checkout, other visitors are not', async ({ page }) => {
  const { shop, drop, path } = await openShopWindow({ quantity: '1' })
  await page.goto(path)
  await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
  await expect(page).toHaveURL(/\/sandbox\/checkout\//)
  const checkout = page.url()
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Held for you' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to checkout' }).filter({ visible: true }).click()
  await expect(page).toHaveURL(checkout)
  // After the buyer gives the unit up, others can buy it, and the first buyer gets the same message as everybody.
  await page.getByRole('link', { name: /back/i }).first().click()
  await expect(page.getByRole('button', { name: /^Buy/ }).filter({ visible: true })).toBeEnabled()
  await openCheckout(shop, drop.id)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'All in checkout' })).toBeVisible()
})
