// Checks the screens of the admin panel as accessibility.spec.ts checks the others, and the states of its lists.
import { expect, type Page } from '@playwright/test'
import { createSellerAndDrop, type Seller, testedApp } from '../support/e2e'
import { expectGoodScreen, expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test.beforeEach(async ({ page }) => {
  const url = `${testedApp().url}/api/auth/login`
  const answer = await page.request.post(url, { data: { email: 'admin', password: 'lastcall-demo' } })
  expect(answer.status()).toBe(200)
})

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expectHydrated(page)
}

const rowOf = (page: Page, { username }: Seller) => page.getByRole('button', { name: new RegExp(`@${username}`) })

test('the tabs of the panel and their dialogs have no violation, no small tap targets and no overflow', async ({
  page,
  seller,
  drop,
}) => {
  await open(page, '/admin')
  await expectGoodScreen(page, 'admin')
  for (const [tab, place, button] of [
    ['users', 'Search users...', rowOf(page, seller)],
    ['drops', 'Search drops...', page.getByRole('button', { name: `Manage ${drop.title}` })],
  ] as const) {
    await open(page, `/admin?tab=${tab}`)
    await page.getByPlaceholder(place).fill(tab === 'users' ? seller.username : drop.title)
    await button.waitFor()
    await expectGoodScreen(page, `admin, ${tab}`)
    await button.click()
    await page.getByRole('dialog').waitFor()
    await expectGoodScreen(page, `admin, dialog of ${tab}`)
  }
  await open(page, '/admin?tab=settings')
  await expectGoodScreen(page, 'admin, settings')
  await page.getByRole('button', { name: 'Disable Platform' }).click()
  await page.getByRole('dialog').waitFor()
  await expectGoodScreen(page, 'admin, dialog of the kill switch')
})

for (const path of ['orders', 'events', 'reviews', 'audit', 'search?q=mug', 'users/2']) {
  test(`/admin/${path} has no violation, no small tap targets and no overflow`, async ({ page }) => {
    await open(page, `/admin/${path}`)
    await expectGoodScreen(page, `admin, ${path}`)
  })
}

test('a list shows that it is loading, that loading failed, its rows, and that nothing was found', async ({ page }) => {
  const { seller } = await createSellerAndDrop()
  let answer = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/admin/users?*', async (route) => {
    await isAsked
    await route.fulfill({ status: 503, json: { error: 'Away.', message: 'Away.' } })
  })
  await open(page, '/admin?tab=users')
  const loading = page.getByRole('status').filter({ hasText: 'Loading…' })
  await expect(loading).toBeAttached()
  const block = loading.locator('..')
  expect((await block.boundingBox())!.height).toBeGreaterThan(300)
  // The block is invisible for the first 300 ms, so that a fast answer shows no flash. The test moves its animation
  // and not the clock.
  const look = (ms: number) =>
    block.evaluate((element: HTMLElement, time) => {
      // The animation that is over is started again.
      element.style.animation = 'none'
      element.getAnimations()
      element.style.animation = ''
      const [animation] = element.getAnimations()
      if (!animation) return 'no animation'
      animation.pause()
      animation.currentTime = time
      return getComputedStyle(element).backgroundColor
    }, ms)
  expect(await look(290)).toBe('rgba(0, 0, 0, 0)')
  expect(await look(310)).toMatch(/^rgb\(/)
  answer()
  const failed = page.getByRole('alert').filter({ hasText: 'Away.' })
  await expect(failed).toBeVisible()
  await page.unroute('**/api/admin/users?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toHaveCount(0)
  await page.getByPlaceholder('Search users...').fill(seller.username)
  await expect(rowOf(page, seller)).toBeVisible()
  await page.getByPlaceholder('Search users...').fill('nobody has this name')
  await expect(page.getByText('No users found.')).toBeVisible()
})
