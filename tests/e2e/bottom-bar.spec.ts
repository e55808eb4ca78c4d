// Tests the bar at the lower edge of a phone: its button is always in reach, it hides nothing that can have the focus,
// and toasts and the help button are beside it.
import { expect, type Locator, type Page } from '@playwright/test'
import { createSellerAndDrop, signIn, signUp, testedApp } from '../support/e2e'
import { drawing } from '../support/photos'
import { test, walkScreen } from '../support/recorded-run'
import { nextFrame, openHydrated } from '../support/screen-checks'

const bar = (page: Page) => page.locator('[data-bottom-bar]')
const buyButtons = (page: Page) => page.getByRole('button', { name: /^Buy/ }).filter({ visible: true })
const openHelp = (page: Page) => page.getByRole('button', { name: 'Open help chat' })

async function boxOf(place: Locator) {
  const box = await place.boundingBox()
  if (!box) throw new Error(`${place} is not on the screen`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

async function expectApart(first: Locator, second: Locator): Promise<void> {
  const [a, b] = [await boxOf(first), await boxOf(second)]
  const isApart = a.right <= b.x || b.right <= a.x || a.bottom <= b.y || b.bottom <= a.y
  expect(isApart, JSON.stringify([a, b])).toBe(true)
}

test('the buy bar stays at the lower edge, above the home indicator of the phone', async ({ page, path }) => {
  await openHydrated(page, path)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34, bottomMax: 34 } })
  for (const distance of [0, 400, 10_000]) {
    await page.evaluate((top) => window.scrollTo(0, top), distance)
    await nextFrame(page)
    const box = await boxOf(bar(page))
    expect(box.bottom).toBeCloseTo(844, 0)
    const button = await boxOf(buyButtons(page))
    expect(button.height).toBeGreaterThanOrEqual(48)
    expect(button.bottom).toBeLessThanOrEqual(844 - 34)
  }
})

for (const [name, width, height, isInBar] of [
  ['a phone', 390, 844, true],
  ['a phone that is held sideways', 844, 390, true],
  ['a desktop', 1280, 800, false],
] as const) {
  test(`on ${name} exactly one Buy button is shown, so the bar never repeats a button of the page`, async ({
    page,
    path,
  }) => {
    await page.setViewportSize({ width, height })
    await openHydrated(page, path)
    await expect(buyButtons(page)).toHaveCount(1)
    await expect(buyButtons(page)).toBeInViewport({ ratio: 1 })
    await expect(bar(page).filter({ visible: true })).toHaveCount(isInBar ? 1 : 0)
  })
}

test('no bar covers what has the focus on a phone, and the last line can be scrolled clear of it', async ({
  page,
  recording,
}) => {
  const { seller, path } = await createSellerAndDrop({}, { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) })
  const expectEndClear = async (name: string) => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await nextFrame(page)
    const last = page.locator('main a[href], main button, footer a[href]').filter({ visible: true })
    const ends = await last.evaluateAll((all) =>
      all
        .filter((element) => !element.closest('[data-bottom-bar], .help-bar, [inert]'))
        .map((element) => element.getBoundingClientRect().bottom),
    )
    const top = await page.locator('[data-bottom-bar], .help-bar').filter({ visible: true }).first().boundingBox()
    expect.soft(Math.max(...ends), `${name}: the last line`).toBeLessThanOrEqual(top!.y + 1)
  }
  for (const [name, url] of [
    ['Drop page', path],
    ['Profile', `/profile/${seller.username}`],
    ['Sign-in page', '/login'],
  ] as const) {
    await openHydrated(page, url)
    await walkScreen(page, recording, name)
    await expectEndClear(name)
  }
  await signIn(page.context(), await signUp(testedApp()))
  for (const [name, url] of [
    ['Create form', '/create'],
    ['Orders', '/orders'],
  ] as const) {
    await openHydrated(page, url)
    await walkScreen(page, recording, name)
    await expectEndClear(name)
  }
})

test('a toast covers neither the buy bar nor the help button', async ({ page, path }) => {
  await openHydrated(page, path)
  await page.route('**/create-session', (route) => route.abort())
  await buyButtons(page).click()
  const toast = page.getByRole('listitem').filter({ hasText: 'Failed to start checkout' })
  await expect(toast).toBeVisible()
  await toast.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  await expectApart(toast, bar(page))
  await expectApart(toast, openHelp(page))
  await expectApart(openHelp(page), buyButtons(page))
})

test('the help button is at the same place of the screen on every page', async ({ page }) => {
  const { seller, drop, path } = await createSellerAndDrop()
  const profile = `/profile/${seller.username}`
  const forVisitors = ['/', path, profile, '/login', '/signup', '/terms-of-service', '/nowhere', '/find-order']
  const forSellers = ['/', '/create', '/orders', '/payouts', '/account', `/success?drop=${drop.identifier}`]
  const places = new Map<string, string>()
  const look = async (url: string, who: string) => {
    await page.goto(url)
    const { right, bottom } = await boxOf(openHelp(page))
    places.set(`${who} ${url}`, `${Math.round(390 - right)} ${Math.round(844 - bottom)}`)
  }
  for (const url of forVisitors) await look(url, 'visitor')
  await signIn(page.context(), seller)
  for (const url of forSellers) await look(url, 'seller')
  expect(new Set(places.values()).size, JSON.stringify([...places])).toBe(1)
})
