// The drop page at its moments: the last hour and the end, what a buyer may rely on, and the page in its seller's hands.
import { expect, type Page, test } from '@playwright/test'
import { buy, endsIn, freshAddress, openShopWindow, signIn } from '../support/e2e'

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test.describe('the last hour', () => {
  const timer = (page: Page) => page.getByRole('timer', { name: 'Time left' })

  test('the hours go when less than an hour is left, and the minutes in the last minute', async ({ page }) => {
    const { shop, drop, path } = await openShopWindow()
    await endsIn(shop, drop.id, 3602)
    await page.goto(path)
    await expect(timer(page)).toHaveText(/^01hours00min0\dsec$/)
    await expect(timer(page)).toHaveText(/^59min5\dsec$/)
    await endsIn(shop, drop.id, 62)
    await page.reload()
    await expect(timer(page)).toHaveText(/^01min0\dsec$/)
    await expect(timer(page)).toHaveText(/^5\dsec$/)
  })

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    test(`at the end a stamp says how many were sold (motion: ${reducedMotion})`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion })
      const { shop, drop, path } = await openShopWindow({ quantity: '3' })
      await buy(shop, drop.id)
      await endsIn(shop, drop.id, 4)
      await page.goto(path)
      await expect(timer(page)).toHaveText(/^\dsec$/)
      await expect(page.getByText('1 of 3 sold')).toBeVisible()
      await expect(timer(page)).toHaveCount(0)
      const moving = await page.evaluate(() =>
        document
          .getAnimations()
          .map((animation) => Number(animation.effect?.getComputedTiming().duration))
          .filter((duration) => duration > 1),
      )
      if (reducedMotion === 'reduce') expect(moving).toEqual([])
    })
  }
})

test('the facts for trust are those of the database', async ({ page }) => {
  const note = 'Ships from Lisbon within three days.'
  const { shop, seller, drop, path } = await openShopWindow({ shippingNote: note })
  await shop.query(`UPDATE "User" SET "createdAt" = '2025-03-15T12:00:00Z' WHERE "id" = $1`, [seller.id])
  await buy(shop, drop.id)
  await page.goto(path)
  const trust = page.getByRole('region', { name: 'About this purchase' })
  await expect(trust).toContainText(`@${seller.username}`)
  await expect(trust).toContainText('1 sold · Selling here since Mar 2025')
  await expect(trust).toContainText('Shipping is included in the price.')
  await expect(trust).toContainText(note)
  await expect(trust.getByRole('link', { name: 'How refunds work' })).toHaveAttribute(
    'href',
    '/terms-of-service#refunds',
  )
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Help with your order' })).toBeInViewport()
  await page.getByText('How do I get a refund?').click()
  await expect(page.getByText('Open your order page and tap Ask for a refund.')).toBeVisible()
})

test('a phone held sideways shows the buy button without scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  const { path } = await openShopWindow()
  await page.goto(path)
  await expect(buyButton(page)).toHaveCount(1)
  await expect(buyButton(page)).toBeInViewport({ ratio: 1 })
})

test('the seller of a drop is offered to manage it, not to buy it', async ({ page }) => {
  const { seller, path } = await openShopWindow()
  const data = { email: seller.username, password: seller.password }
  await page.request.post('/api/auth/login', { data, headers: { 'x-forwarded-for': freshAddress() } })
  await page.goto(path)
  await page.getByRole('link', { name: 'Manage this drop' }).filter({ visible: true }).click()
  await expect(page.getByRole('heading', { name: `Hi @${seller.username}` })).toBeVisible()
})

test('the first sale and the sell-out are celebrated on the open dashboard', async ({ page }) => {
  const { shop, seller, drop } = await openShopWindow({ quantity: '2' })
  await signIn(page.context(), seller)
  const streams = page.waitForRequest(/\/events$/)
  await page.goto('/')
  await streams
  await buy(shop, drop.id)
  // The list is polled only every ten seconds.
  await expect(page.getByText('First sale!')).toBeVisible({ timeout: 4_000 })
  await expect(page.getByText(`Someone just bought ${drop.title}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: '1 order to ship' })).toBeVisible()
  await buy(shop, drop.id)
  await expect(page.getByText('Sold out!')).toBeVisible()
  await expect(page.getByText('all 2 sold.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Sold out!')).toHaveCount(0)
})
