// npm run shots: writes a picture of every screen and state to shots/, at 390 and 1280 px (drop pages also on a phone that is
// held sideways), in both themes. It starts the application with its demo, or uses the one that runs at SHOTS_URL.
// SHOTS_ONLY limits it to the screens whose names contain this text. SHOTS_FOLD=1 limits each picture to what is visible
// without scrolling.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '../../scripts/find-browser.mjs'
import { startApp } from '../support/app-server.mjs'
import { accountScreens } from './accounts.mjs'
import { adminScreens } from './admin.mjs'
import { checkoutScreens } from './checkout.mjs'
import { createShop } from './create-shop.mjs'
import { orderScreens } from './orders.mjs'
import { sellingScreens } from './selling.mjs'
import { visitorScreens } from './visitors.mjs'

/**
 * @import { BrowserContext, Page } from '@playwright/test'
 * @import { Shop } from './create-shop.mjs'
 *
 * @typedef {{
 *   name: string,
 *   path: string | ((shop: Shop) => string | Promise<string>),
 *   as?: string,
 *   act?: (page: Page) => Promise<unknown>,
 * }} Screen `as`: the username of the demo's user who looks at it, otherwise a visitor does; `act`: what is done on the
 *   page before the picture is taken
 */

const WIDTHS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 860 },
  // A phone that is held sideways.
  sideways: { width: 844, height: 390 },
}
/** @type {('light' | 'dark')[]} */
const THEMES = ['light', 'dark']

const screens = [
  ...visitorScreens,
  ...accountScreens,
  ...sellingScreens,
  ...orderScreens,
  ...checkoutScreens,
  ...adminScreens,
]

/**
 * Waits until the page is complete: its content in place of the loading skeleton, the fonts, and every picture, those below
 * the fold too.
 * @param {Page} page
 */
async function settle(page) {
  await page.locator('main:not([aria-busy])').waitFor()
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await document.fonts.ready
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  })
}

/**
 * @param {BrowserContext} context
 * @param {string} username
 */
async function logIn(context, username) {
  const answer = await context.request.post(`${url}/api/auth/login`, {
    data: { email: username, password: 'lastcall-demo' },
  })
  if (!answer.ok()) throw new Error(`${username} cannot log in: ${answer.status()}`)
}

const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = await findBrowser()
const { SHOTS_URL, SHOTS_ONLY = '', SHOTS_FOLD } = process.env
const app = SHOTS_URL ? { url: SHOTS_URL, stop: async () => {} } : await startApp()
const { url } = app
const folder = path.resolve('shots')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  chromiumSandbox: CHROMIUM_SANDBOX === '1',
  args: ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const shop = createShop(url)
const wanted = screens.filter((screen) => screen.name.includes(SHOTS_ONLY))
try {
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    for (const theme of THEMES) {
      for (const screen of device === 'sideways' ? wanted.filter(({ name }) => name.startsWith('drop-')) : wanted) {
        const isPhone = device === 'phone'
        const context = await browser.newContext({
          viewport,
          colorScheme: theme,
          hasTouch: isPhone,
          isMobile: isPhone,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        if (screen.as) await logIn(context, screen.as)
        const address = typeof screen.path === 'string' ? screen.path : await screen.path(shop)
        await page.goto(url + address)
        await screen.act?.(page)
        await settle(page)
        await page.screenshot({
          path: path.join(folder, `${screen.name}.${device}.${theme}.png`),
          fullPage: SHOTS_FOLD !== '1',
        })
        await context.close()
        process.stdout.write('.')
      }
    }
  }
  console.log(`\nThe pictures are in ${folder}`)
} finally {
  await browser.close()
  await app.stop()
}
