// The drop page loads the framework's scripts only after its first picture (ADR 0060). Until then the page counts down
// and shows the stock, buyers can already buy, and every press takes effect exactly once.
import { expect, type Page } from '@playwright/test'
import { buy, moveEnd, freshAddress, createSellerAndDrop } from '../support/e2e'
import { expectHydrated, nextFrame } from '../support/screen-checks'
import { test } from '../support/test'

const CHUNKS = '**/_next/static/chunks/*.js'
const buyButton = (page: Page) => page.getByRole('button', { name: /^Buy/ }).filter({ visible: true })

/** Holds back requests to a URL. @returns a function that lets them continue */
async function hold(page: Page, url: string): Promise<() => void> {
  let letGo = () => {}
  const isOver = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(url, async (route) => {
    await isOver
    await route.continue()
  })
  return letGo
}

// A network whose checkouts ended unpaid has to wait before the next one (ADR 0050), so each test has its own network.
test.beforeEach(({ page }) => page.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

/** Collects the errors of the page and of its console, where React reports a failed hydration. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return errors
}

test('the picture arrives before the first script is requested, and one small file of each font is preloaded', async ({
  page,
}) => {
  const { path } = await createSellerAndDrop()
  const errors = watchErrors(page)
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && request.url().includes('/_next/')) scripts.push(request.url())
  })
  const deliver = await hold(page, '**/media/drops/**')
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  // Two frames are enough for the browser to be idle, but the picture is not painted yet.
  await nextFrame(page)
  expect(scripts).toEqual([])
  deliver()
  await expectHydrated(page)
  expect(scripts.length).toBeGreaterThan(5)
  const fonts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.woff2'))
      .map((entry) => Reflect.get(entry, 'encodedBodySize') as number),
  )
  expect(fonts).toHaveLength(2)
  expect(fonts[0]! + fonts[1]!).toBeLessThan(28 * 1024)
  // Until a font arrives, its text is shown in another one.
  const displays = await page.evaluate(() =>
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ display }) => display),
  )
  expect(displays).toEqual(['swap', 'swap'])
  expect(errors).toEqual([])
})

test('the page is painted without asking for a style sheet, and React does not ask for it either', async ({
  page,
  path,
}) => {
  const errors = watchErrors(page)
  const sheets: string[] = []
  page.on('request', (request) => request.resourceType() === 'stylesheet' && sheets.push(request.url()))
  await page.goto(path)
  await expectHydrated(page)
  const button = page.locator('form[action$="/buy"] button').first()
  expect(await button.evaluate((element) => getComputedStyle(element).borderRadius)).toBe('10px')
  expect(sheets).toEqual([])
  await expect(page.locator('link[rel="stylesheet"][disabled]')).toHaveCount(1)
  // Some programs read only the first part of a page for its preview.
  const html = await (await page.request.get(path)).text()
  expect(html.indexOf('og:title')).toBeGreaterThan(0)
  expect(html.indexOf('og:image')).toBeLessThan(16_384)
  // A page that follows inside the application finds the styles, too.
  await page
    .getByRole('link', { name: /^@seller/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/profile\//)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(errors).toEqual([])
})

test('before the scripts arrive the page counts down and follows the stock, and then it continues without an error', async ({
  page,
}) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '3' })
  await moveEnd(shop, drop.id, 2 * 3600)
  const errors = watchErrors(page)
  const wake = await hold(page, CHUNKS)
  await page.goto(path, { waitUntil: 'commit' })
  const timer = page.getByRole('timer', { name: 'Time left' })
  const read = async () => {
    const text = (await timer.textContent()) ?? ''
    const [, hours, minutes, seconds] = /^(\d\d)hours(\d\d)min(\d\d)sec$/.exec(text) ?? []
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  }
  await expect(page.getByText('3 of 3 left')).toBeVisible()
  const first = await read()
  await expect.poll(read, { intervals: [50] }).toBe(first - 1)
  await expect.poll(read, { intervals: [50] }).toBe(first - 2)
  // The page reads the stock every ten seconds.
  await buy(shop, drop.id)
  await expect(page.getByText('2 of 3 left')).toBeVisible()
  const [row] = await shop.query<{ left: number }>(
    `SELECT extract(epoch FROM "endTime" - clock_timestamp())::float8 AS "left" FROM "Drop" WHERE "id" = $1`,
    [drop.id],
  )
  expect(Math.abs((await read()) - row!.left)).toBeLessThan(3)
  wake()
  await expectHydrated(page)
  const later = await read()
  await expect.poll(read, { intervals: [50] }).toBe(later - 1)
  await expect(page.getByText('2 of 3 left')).toBeVisible()
  expect(errors).toEqual([])
})

test('a stock that changed before hydration and changed back is shown as it is now', async ({ page }) => {
  const { drop, path } = await createSellerAndDrop({ quantity: '5' })
  const wake = await hold(page, CHUNKS)
  const stock = `**/api/drop/${drop.identifier}`
  let inCheckout = 1
  await page.route(stock, async (route) => {
    const response = await route.fetch()
    const view = (await response.json()) as object
    await route.fulfill({ response, json: { ...view, available: 5 - inCheckout, inCheckout } })
  })
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByText('4 of 5 left, 1 in checkout')).toBeVisible({ timeout: 15_000 })
  inCheckout = 0
  wake()
  await expectHydrated(page)
  await expect(page.getByText('5 of 5 left', { exact: true })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
})

test('a buyer who taps Buy before the scripts arrive and again afterwards opens one checkout', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '3' })
  const wake = await hold(page, CHUNKS)
  const answer = await hold(page, '**/buy')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/buy$|create-session/.test(request.url())) sent.push(request.url())
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  const pressedAgain = page.waitForRequest('**/pressed-again')
  // Everything happens inside the page, because Playwright cannot reach it during a pending navigation.
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>('[data-bottom-bar] button')
    button?.click()
    const timer = setInterval(() => {
      if (!Reflect.get(window, 'lastcallAwake')) return
      clearInterval(timer)
      button?.click()
      document.querySelector<HTMLFormElement>('form#buy')?.requestSubmit()
      navigator.sendBeacon('/pressed-again')
    })
  })
  wake()
  await pressedAgain
  answer()
  await expect(page).toHaveURL(/\/sandbox\/checkout\//)
  expect(sent).toHaveLength(1)
  const holds = await shop.query<{ quantity: number }>(`SELECT "quantity" FROM "Hold" WHERE "dropId" = $1`, [drop.id])
  expect(holds).toEqual([{ quantity: 2 }])
})

test('a buyer on a network that never delivers the scripts reaches the payment page', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ optionName: 'Size', options: 'S 1, M 2', quantity: '1' })
  await page.route(CHUNKS, (route) => route.abort())
  await page.goto(path)
  await page.getByText('2 left', { exact: true }).click()
  await buyButton(page).click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  const held = await shop.query(`SELECT "value" FROM "OptionValue" WHERE "dropId" = $1 AND "held" = 1`, [drop.id])
  expect(held).toEqual([{ value: 'M' }])
})

test('a button or a picture that is tapped before the scripts arrive opens once they have arrived', async ({
  page,
}) => {
  const { path } = await createSellerAndDrop()
  for (const [tapped, opened] of [
    [page.getByRole('button', { name: 'Open help chat' }), page.getByRole('dialog', { name: 'AI Assistant' })],
    [page.getByRole('link', { name: /: view full screen$/ }), page.getByRole('dialog')],
  ] as const) {
    const wake = await hold(page, CHUNKS)
    await page.goto(path, { waitUntil: 'commit' })
    await tapped.click()
    await expect(opened).toHaveCount(0)
    wake()
    await expect(opened).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await page.unrouteAll({ behavior: 'wait' })
  }
})

test('a page whose scripts are late shows the end of the drop', async ({ page, shop, drop, path }) => {
  await moveEnd(shop, drop.id, 6)
  const wake = await hold(page, CHUNKS)
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('timer', { name: 'Time left' })).toHaveText('0sec')
  wake()
  await expect(page.getByRole('heading', { name: 'Drop Expired' })).toBeVisible()
})
