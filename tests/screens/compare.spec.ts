// Compares pictures of the screens that matter most with those of another revision (CONTRIBUTING.md). Times, stock,
// order references and whatever else differs between two runs of the same revision are masked.
import { expect, type Page, test } from '@playwright/test'
import { given } from '../support/e2e'
import { createShop } from './create-shop.mjs'
import { openScreen } from './open-screen.mjs'
import { COMPARED, screens } from './screens'

const LIVE = ['time', '[role="timer"]', '[data-stock]', '[data-reference]', 'canvas', 'aside[aria-label="Sandbox"]']

const maskOf = (page: Page) => [
  ...LIVE.map((selector) => page.locator(selector)),
  // The reference of an order in a list, which is followed by the day.
  page.getByText(/\b[0-9A-Z]{8} · /),
  page.getByText(/\d+ ?(h|min|sec)\b|\b\d{1,2}:\d\d\b|ago$|^(in|Ends|Starts) |\b20\d\d\b/),
]

for (const name of COMPARED) {
  const screen = screens.find((one) => one.name === name)
  if (!screen) throw new Error(`there is no screen ${name}`)
  for (const device of ['phone', 'desktop'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${name}, ${device}, ${colorScheme}`, async ({ browser }) => {
        const url = given('E2E_BASE_URL')
        const page = await openScreen(browser, { screen, shop: createShop(url), url, device })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expect(page).toHaveScreenshot(`${name}-${device}-${colorScheme}.png`, { mask: maskOf(page) })
        await page.context().close()
      })
    }
  }
}
