// Tests the drop page in the last hour and at the end of the drop, its facts about the seller, and what the seller
// sees.
import { expect, type Page } from '@playwright/test'
import { buy, moveEnd, freshAddress, createSellerAndDrop, signIn } from '../support/e2e'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test.describe('the last hour', () => {
  const timer = (page: Page) => page.getByRole('timer', { name: 'Time left' })

  test('the timer shows no hours in the last hour and no minutes in the last minute', async ({
    page,
    shop,
    drop,
    path,
  }) => {
    await moveEnd(shop, drop.id, 3_640)
    await openHydrated(page, path)
    // The open page receives each new end from the server.
    await expect(timer(page)).toHaveText(/^01hours00min[0-3]\dsec$/)
    // A screen reader does not read out every second, but announces these texts when they appear.
    await expect(timer(page)).toHaveAttribute('aria-live', 'off')
    const announced = page.getByRole('status').filter({ hasText: /^Less than/ })
    await expect(announced).toHaveCount(0)
    await moveEnd(shop, drop.id, 3_590)
    await expect(timer(page)).toHaveText(/^59min\d\dsec$/)
    await expect(announced).toHaveText('Less than an hour left')
    await moveEnd(shop, drop.id, 100)
    await expect(timer(page)).toHaveText(/^01min[0-3]\dsec$/)
    await expect(announced).toHaveText('Less than 10 minutes left')
    await moveEnd(shop, drop.id, 55)
    await expect(timer(page)).toHaveText(/^\d\dsec$/)
    await expect(announced).toHaveText('Less than a minute left')
  })

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    test(`at the end of a drop a stamp shows how many units were sold (motion: ${reducedMotion})`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion })
      const { shop, drop, path } = await createSellerAndDrop({ quantity: '3' })
      await buy(shop, drop.id)
      await moveEnd(shop, drop.id, 12)
      await page.goto(path)
      await expect(timer(page)).toHaveText(/^\d+sec$/)
      const news = page.getByRole('status').filter({ hasText: 'This drop has ended.' })
      await expect(news).toHaveCount(0)
      await expect(page.getByText('1 of 3 sold')).toBeVisible()
      await expect(timer(page)).toHaveCount(0, { timeout: 30_000 })
      await expect(news).toHaveCount(1)
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

test('the drop page shows how many units the seller has sold and since when, the shipping note and a link to help', async ({
  page,
}) => {
  const note = 'Ships from Lisbon within three days.'
  const { shop, seller, drop, path } = await createSellerAndDrop({ shippingNote: note })
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
  await expect(page.getByText('Open your order page and tap Request a refund.')).toBeVisible()
})

test('a phone in landscape orientation shows the buy button without scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  const { path } = await createSellerAndDrop()
  await page.goto(path)
  await expect(buyButton(page)).toHaveCount(1)
  await expect(buyButton(page)).toBeInViewport({ ratio: 1 })
})

test('sellers see a link to manage their own drop, which leads to its card on the dashboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 420 })
  const { seller, path, drop } = await createSellerAndDrop()
  const data = { email: seller.username, password: seller.password }
  await page.request.post('/api/auth/login', { data, headers: { 'x-forwarded-for': freshAddress() } })
  await page.goto(path)
  await page.getByRole('link', { name: 'Manage drop' }).filter({ visible: true }).first().click()
  await expect(page.getByRole('heading', { name: `Hi @${seller.username}` })).toBeAttached()
  await expect(page.getByRole('link', { name: drop.title })).toBeInViewport()
})

test("the seller's own drop page, the page after publishing and the list of orders celebrate a first sale", async ({
  page,
}) => {
  const { shop, seller, drop, path } = await createSellerAndDrop({ quantity: '2' })
  const data = { email: seller.username, password: seller.password }
  await page.request.post('/api/auth/login', { data, headers: { 'x-forwarded-for': freshAddress() } })
  const [other, orders] = [await page.context().newPage(), await page.context().newPage()]
  for (const [tab, url] of [
    [page, path],
    [orders, '/orders'],
    [other, `/success?drop=${path.split('/').at(-1)!}`],
  ] as const) {
    const stream = tab.waitForRequest(/\/events$/)
    await tab.goto(url)
    await stream
  }
  await buy(shop, drop.id)
  await expect(page.getByText('First sale!')).toBeVisible({ timeout: 15_000 })
  await expect(other.getByText('First sale!')).toBeVisible({ timeout: 15_000 })
  await expect(orders.getByText('First sale!')).toBeVisible({ timeout: 15_000 })
})

test('the open dashboard announces the first sale and the sell-out without waiting for the next poll', async ({
  page,
}) => {
  const { shop, seller, drop } = await createSellerAndDrop({ quantity: '2' })
  await signIn(page.context(), seller)
  const streams = page.waitForRequest(/\/events$/)
  await page.goto('/')
  await streams
  await buy(shop, drop.id)
  // The page polls the list only every ten seconds, so an earlier message normally comes through the event stream.
  await expect(page.getByText('First sale!')).toBeVisible({ timeout: 9_000 })
  await expect(page.getByText(`Someone just bought ${drop.title}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: '1 order to ship' })).toBeVisible()
  await buy(shop, drop.id)
  await expect(page.getByText('Sold out!')).toBeVisible()
  await expect(page.getByText('all 2 sold.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Sold out!')).toHaveCount(0)
})
