// `npm run firefox` buys a physical product and requests a refund in Firefox. Playwright drives only its own build of
// Firefox, so this program drives the installed one with puppeteer-core, which uses WebDriver BiDi. It is not part of
// npm test, because Firefox takes more than a minute to start on a busy machine. Where there is no Firefox, it says so
// and does nothing.
//   FIREFOX_PATH=…                             the Firefox to use
//   FIREFOX_URL=… FIREFOX_DATABASE_URL=…       uses an application that is already running
import assert from 'node:assert/strict'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { startApp } from '../support/start-app.mjs'
import { cardPageAnswers } from '../support/card-page'
import { createSellerAndDrop, freshAddress, stockOf, uniqueName } from '../support/e2e'
import { findFirefox } from './find-firefox.mjs'

/** The whole purchase ends after this time, whatever Firefox does. */
const LIMIT_MS = 5 * 60_000
const LAUNCH_MS = 2 * 60_000
const STEP_MS = 60_000

const { FIREFOX_URL, FIREFOX_DATABASE_URL = '' } = process.env

const firefox = findFirefox()
if (firefox) await run(firefox)
else console.log('Skipped: there is no Firefox here. Install one, or set FIREFOX_PATH to it.')

async function run(executablePath: string): Promise<void> {
  const app = FIREFOX_URL
    ? { url: FIREFOX_URL, databaseUrl: FIREFOX_DATABASE_URL, stop: async () => {} }
    : await startApp()
  Object.assign(process.env, { E2E_BASE_URL: app.url, E2E_DATABASE_URL: app.databaseUrl })
  let browser: Browser | undefined
  // A Firefox that no longer responds would not close, so its process is ended.
  const endFirefox = () => browser?.process()?.kill('SIGKILL')
  const limit = setTimeout(() => {
    console.error(`Firefox took more than ${LIMIT_MS / 60_000} minutes.`)
    endFirefox()
    void app.stop().finally(() => process.exit(1))
  }, LIMIT_MS)
  try {
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      timeout: LAUNCH_MS,
      protocolTimeout: STEP_MS,
      // Without a service worker, every navigation reaches the server.
      extraPrefsFirefox: { 'dom.serviceWorkers.enabled': false },
    })
    console.log(await browser.version())
    const [page = await browser.newPage()] = await browser.pages()
    await buyAndAskForRefund(page)
    console.log('1 passed, 0 failed')
  } finally {
    clearTimeout(limit)
    endFirefox()
    await app.stop()
  }
}

async function buyAndAskForRefund(page: Page): Promise<void> {
  const { shop, drop, path } = await createSellerAndDrop({ price: '24.00' })
  const startedAt = Date.now()
  page.setDefaultTimeout(STEP_MS)
  page.setDefaultNavigationTimeout(STEP_MS)
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() })
  await page.setViewport({ width: 390, height: 844 })
  await page.goto(shop.url + path, { waitUntil: 'domcontentloaded' })

  await press(page, 'form[action$="/buy"] button')
  await seeHeading(page, 'Pay $24.00')
  assert.deepEqual(await stockOf(shop, drop.id), { quantity: 3, sold: 0, held: 1 })
  // The bar on the payment page runs until the end of the hold, which lasts for 31 minutes.
  const left = await page.$eval('.burn', (bar) => {
    const [burning] = bar.getAnimations()
    return (Number(burning?.effect?.getComputedTiming().endTime) - Number(burning?.currentTime)) / 60_000
  })
  assert.ok(left > 25 && left <= 31, `the bar runs for another ${left} minutes`)
  assert.ok(await page.evaluate(() => document.fonts.check('16px Geist')), 'the page has not loaded its font')

  for (const [label, value] of Object.entries(cardPageAnswers(`${uniqueName('bea')}@example.com`))) {
    const id = await page.$$eval(
      'label',
      (labels, wanted) => labels.find((entry) => entry.textContent?.trim() === wanted)?.htmlFor,
      label,
    )
    await page.type(`#${id}`, value)
  }
  await press(page, 'form[action$="/pay"] button')
  await seeHeading(page, 'Payment Successful!')
  assert.deepEqual(await stockOf(shop, drop.id), { quantity: 3, sold: 1, held: 0 })

  await press(page, 'a[href*="/o/"]')
  await seeHeading(page, 'Thanks for your order')
  await press(page, 'nav[aria-label="On this page"] a[href="#help"]')
  await press(page, 'summary::-p-text(Request a refund)')
  // The link to the help has also opened the form for a message.
  const request = 'form:has(input[name="about"][value="refund"])'
  await page.locator(`${request} textarea`).fill('It does not fit.')
  await press(page, `${request} button[type="submit"]`)
  await page.waitForSelector('::-p-text(Request sent.)')
  const asked = await shop.query(
    `SELECT r."state" FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId" WHERE o."dropId" = $1`,
    [drop.id],
  )
  assert.equal(asked.length, 1)
  console.log(`From the link to a refund request in Firefox: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** Presses the first visible element of a selector. */
async function press(page: Page, selector: string): Promise<void> {
  const deadline = Date.now() + STEP_MS
  await page.waitForSelector(selector)
  while (Date.now() < deadline) {
    for (const element of await page.$$(selector)) {
      if (await element.isVisible()) return element.click()
    }
  }
  throw new Error(`There is nothing to press: ${selector}`)
}

async function seeHeading(page: Page, text: string): Promise<void> {
  await page.waitForSelector(`h1::-p-text(${text})`)
}
