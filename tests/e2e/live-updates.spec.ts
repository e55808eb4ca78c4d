// Tests when an open drop page asks the server for changes: every ten seconds, and not while nobody can see them.
import { expect, type Page } from '@playwright/test'
import { createSellerAndDrop, moveEnd } from '../support/e2e'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

type Polls = { at: number[]; open: number }

/** Opens a drop whose event stream does not work, so that only polling brings changes. */
async function openWithoutStream(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.route('**/events', (route) => route.abort())
  // Notes when the page asks, by its own clock, and how many requests are not answered yet.
  await page.addInitScript((address) => {
    const polls: Polls = { at: [], open: 0 }
    Object.assign(window, { polls })
    const send = window.fetch.bind(window)
    window.fetch = async (...args) => {
      if (!new Request(...args).url.endsWith(address)) return send(...args)
      polls.at.push(Date.now())
      polls.open += 1
      return send(...args).finally(() => (polls.open -= 1))
    }
  }, `/api${path}`)
  await openHydrated(page, path)
  // The page asks once as soon as it is idle.
  await expect.poll(async () => (await read(page)).at.length).toBeGreaterThan(0)
}

const read = (page: Page) => page.evaluate(() => Reflect.get(window, 'polls') as Polls)

/** Moves the clock of the page forward, second by second, and waits for the answers. */
async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await page.clock.runFor(1_000)
    await expect.poll(async () => (await read(page)).open).toBe(0)
  }
}

/** Returns when the page asked while `during` was going on. */
async function pollsDuring(page: Page, during: () => Promise<void>): Promise<number[]> {
  const { at } = await read(page)
  await during()
  return (await read(page)).at.slice(at.length)
}

async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    },
    isVisible ? 'visible' : 'hidden',
  )
}

test('the page asks every ten seconds', async ({ page, path }) => {
  await openWithoutStream(page, path)
  const at = await pollsDuring(page, () => pass(page, 55))
  const gaps = at.slice(1).map((moment, position) => moment - at[position]!)
  expect(gaps.length).toBeGreaterThanOrEqual(3)
  // The next wait begins with the answer, which arrives only after the step of the clock in which the page has asked.
  for (const gap of gaps) {
    expect(gap, gaps.join()).toBeGreaterThanOrEqual(9_900)
    expect(gap, gaps.join()).toBeLessThanOrEqual(12_000)
  }
})

test('the page does not ask while its tab is hidden, and asks at once when it is shown again', async ({
  page,
  path,
}) => {
  await openWithoutStream(page, path)
  await setVisible(page, false)
  expect(await pollsDuring(page, () => pass(page, 35))).toEqual([])
  const asked = page.waitForRequest(`**/api${path}`, { timeout: 2_000 })
  await setVisible(page, true)
  await asked
})

test('without a connection the page says so within three seconds, does not ask, and asks at once afterwards', async ({
  page,
  context,
  path,
}) => {
  await openWithoutStream(page, path)
  await context.setOffline(true)
  await expect(page.getByText("You're offline. This page may be out of date.")).toBeVisible({ timeout: 3_000 })
  expect(await pollsDuring(page, () => pass(page, 35))).toEqual([])
  const asked = page.waitForRequest(`**/api${path}`, { timeout: 2_000 })
  await context.setOffline(false)
  await asked
  await expect(page.getByText("You're offline. This page may be out of date.")).toHaveCount(0)
})

test('the page asks no more after the end of the drop', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop()
  await openWithoutStream(page, path)
  await moveEnd(shop, drop.id, -1)
  await pass(page, 11)
  await expect(page.getByRole('heading', { name: 'Drop Expired' })).toBeVisible()
  expect(await pollsDuring(page, () => pass(page, 35))).toEqual([])
})
