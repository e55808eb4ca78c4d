// Tests that a buyer who sees the order page for the first time, on a phone, finds the refund, the tracking and the
// address on the first screen or with one tap from there.
import { expect, type Locator, type Page } from '@playwright/test'
import { buy, createSellerAndDrop } from '../support/e2e'
import { expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'

async function boughtOrder(): Promise<{ path: string; ship: () => Promise<unknown> }> {
  const { shop, drop } = await createSellerAndDrop()
  await buy(shop, drop.id)
  const [order] = await shop.query<{ token: string }>(
    'SELECT "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [drop.id],
  )
  const ship = () =>
    shop.query(
      `UPDATE "Order" SET "status" = 'shipped', "shippedAt" = now(), "carrier" = 'USPS', "trackingNumber" = '9400100000000000000000'
        WHERE "dropId" = $1 AND "paidAt" IS NOT NULL`,
      [drop.id],
    )
  return { path: `/o/${order!.token}`, ship }
}

/** Fails unless the link is on the first screen, and a tap on it shows what it leads to. */
async function expectOneTap(page: Page, path: string, link: string, target: Locator): Promise<void> {
  await page.goto(path)
  const way = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: link })
  await expect(way).toBeInViewport({ ratio: 1 })
  await way.tap()
  await expect(target).toBeInViewport({ ratio: 1 })
}

test('refund, tracking and address are one tap away', async ({ page }) => {
  const { path, ship } = await boughtOrder()
  const refund = page.locator('summary', { hasText: /^Request a refund$/ })
  await expectOneTap(page, path, 'Refund', refund)
  await expectOneTap(page, path, 'Address', page.getByRole('heading', { name: 'Shipping to' }))
  await expectOneTap(page, path, 'Tracking', page.getByRole('heading', { name: 'Order updates' }))
  await ship()
  await page.goto(path)
  await expect(page.getByRole('link', { name: 'Track package' })).toBeInViewport({ ratio: 1 })
  await expectOneTap(page, path, 'Refund', refund)
  await expectOneTap(page, path, 'Address', page.getByRole('heading', { name: 'Sent to' }))
  await expectGoodScreen(page, 'order page of a shipped parcel')
})
