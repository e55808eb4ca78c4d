// Tests toasts and changes that fail: a toast stays while it is being read, and a failed change is taken back.
import { expect, type Page } from '@playwright/test'
import { createSellerAndDrop, moveEnd, openMore, signIn } from '../support/e2e'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const toasts = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })

/** Copies the link of a drop, which shows a toast for three seconds. */
async function copyLink(page: Page): Promise<void> {
  await openHydrated(page, '/')
  await openMore(page)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(toasts(page)).toContainText('Link copied!')
}

test.beforeEach(async ({ page, context, seller }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(context, seller)
  await page.clock.install()
})

test('a toast closes after three seconds, and only one is shown at a time', async ({ page }) => {
  await copyLink(page)
  // From here on the clock stands still, so that only the time that the test lets pass counts.
  await page.clock.pauseAt(Date.now() + 500)
  await expect(toasts(page)).toHaveCount(1)
  await page.clock.runFor(3_000)
  await expect(toasts(page)).toHaveCount(0)
  await page.clock.resume()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(toasts(page)).toHaveCount(1)
  await page.route('**/story-image', (route) => route.abort())
  await page.getByRole('button', { name: 'Story', exact: true }).click()
  await expect(toasts(page)).not.toContainText('Link copied!')
  await expect(toasts(page)).toHaveCount(1)
})

for (const [how, begin, end] of [
  ['the pointer is over it', (page: Page) => toasts(page).hover(), (page: Page) => page.mouse.move(10, 600)],
  [
    'it has the focus',
    (page: Page) => page.getByRole('button', { name: 'Dismiss' }).focus(),
    (page: Page) => page.getByRole('button', { name: 'Settings', exact: true }).focus(),
  ],
] as const) {
  test(`a toast stays while ${how}, and closes afterwards`, async ({ page }) => {
    await copyLink(page)
    await begin(page)
    await page.clock.runFor(20_000)
    await expect(toasts(page)).toContainText('Link copied!')
    await end(page)
    await page.clock.runFor(4_000)
    await expect(toasts(page)).toHaveCount(0)
  })
}

test('a drop stays in the list when deleting it fails, and a toast says so', async ({ page }) => {
  const { shop, seller, drop } = await createSellerAndDrop()
  await moveEnd(shop, drop.id, -60)
  await signIn(page.context(), seller)
  await openHydrated(page, '/')
  await page.route(`**/api/drops/${drop.id}`, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, json: { error: 'no' } }) : route.continue(),
  )
  await page.getByRole('button', { name: `Delete ${drop.title}` }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(toasts(page)).toContainText('Delete Failed')
  await expect(toasts(page)).toContainText('Failed to delete the drop. Please try again.')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByRole('button', { name: `Delete ${drop.title}` })).toBeVisible()
})
