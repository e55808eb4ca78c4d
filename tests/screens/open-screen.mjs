// Opens one of the listed screens in a browser, for pictures of it.

/**
 * @import { Browser, BrowserContext, Page } from '@playwright/test'
 * @import { Shop } from './create-shop.mjs'
 *
 * @typedef {{
 *   name: string,
 *   path: string | ((shop: Shop) => string | Promise<string>),
 *   as?: string,
 *   enter?: (context: BrowserContext) => Promise<unknown>,
 *   act?: (page: Page) => Promise<unknown>,
 *   leave?: () => Promise<unknown>,
 * }} Screen `as`: the username of the demo user who opens the page; without it, a visitor does. `enter` prepares the
 *   browser, for example signs a new seller in. `act` runs on the page before the picture is taken. `leave` undoes what
 *   would change other screens.
 */

/** The sizes of the pictures. All but the phone are taken in one window. */
export const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  // This is the size of a phone in landscape.
  sideways: { width: 844, height: 390 },
  desktop: { width: 1280, height: 860 },
}

/** @typedef {keyof typeof SIZES} Device */

/**
 * Opens a screen and waits until it can be shown.
 * @param {Browser} browser
 * @param {{ screen: Screen, shop: Shop, url: string, device: Device }} what
 * @returns {Promise<Page>} the caller closes its context
 */
export async function openScreen(browser, { screen, shop, url, device }) {
  const isPhone = device === 'phone'
  const context = await browser.newContext({
    viewport: SIZES[device],
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
    baseURL: url,
    // Limits per network address must not stop a run that opens hundreds of pages.
    extraHTTPHeaders: { 'x-forwarded-for': `10.${device.length}.${Math.floor(Math.random() * 250)}.7` },
  })
  const page = await context.newPage()
  if (screen.as) await logIn(context, url, screen.as)
  await screen.enter?.(context)
  await page.goto(url + (typeof screen.path === 'string' ? screen.path : await screen.path(shop)))
  await screen.act?.(page)
  await settle(page)
  return page
}

/**
 * Waits until the content has replaced the loading skeleton, and the fonts and all pictures have loaded, including the
 * pictures below the fold.
 * @param {Page} page
 */
async function settle(page) {
  await page.locator('main:not([aria-busy])').first().waitFor()
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await document.fonts.ready
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  })
}

/**
 * Signs a browser in as a user of the demo.
 * @param {BrowserContext} context
 * @param {string} url
 * @param {string} username
 */
export async function logIn(context, url, username) {
  const answer = await context.request.post(`${url}/api/auth/login`, {
    data: { email: username, password: 'lastcall-demo' },
  })
  if (!answer.ok()) throw new Error(`${username} cannot log in: ${answer.status()}`)
}
