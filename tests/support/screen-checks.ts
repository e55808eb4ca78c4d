// What every screen must pass, whatever is on it: every rule of axe in both themes (WCAG 2.2 AA and good practice), targets for a
// thumb, no wider than 320 px or the letters allow.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

/** The narrowest phone there is (WCAG 1.4.10). */
const NARROW_PX = 320
/** A phone of 390 px whose letters are twice as large has room for half as many (WCAG 1.4.4). */
const LARGE_LETTERS_PX = 195

/** Checks what is open in a page, a dialog too. Leaves the page narrow. */
export async function expectGoodScreen(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await nextFrame(page)
    // A mail in its frame runs no script and has a style of its own.
    const { violations } = await new AxeBuilder({ page })
      .options({ rules: { 'target-size': { enabled: true } } })
      .exclude('iframe')
      .analyze()
    const found = violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' | ')}`)
    expect.soft(found, `${name} in ${colorScheme}`).toEqual([])
  }
  expect.soft(await smallTargets(page), `${name}: targets`).toEqual([])
  for (const width of [LARGE_LETTERS_PX, NARROW_PX]) {
    await page.setViewportSize({ width, height: 640 })
    await nextFrame(page)
    expect.soft(await widthOf(page), `${name} at ${width} px`).toBeLessThanOrEqual(width)
  }
}

/** Colours of a theme and places of a width are there with the next frame. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** The page answers by itself at this place: before that a press is the browser's alone. */
export async function expectAwake(place: Locator): Promise<void> {
  const isAwake = () => place.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')))
  await expect.poll(isAwake).toBe(true)
}

export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}

/** What can be tapped and is smaller than a fingertip. Links inside a sentence may be (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const targets = document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="button"]')
    return [...targets].flatMap((element) => {
      const isHidden = !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      const box = element.getBoundingClientRect()
      // A radio or file button that is only there for a screen reader: its label is what people tap.
      const isStandIn = element instanceof HTMLInputElement && box.width <= 1
      const shown = isStandIn ? (element.labels?.[0] ?? null)?.getBoundingClientRect() : box
      const isInSentence = element.tagName === 'A' && getComputedStyle(element).display === 'inline'
      if (isHidden || !shown || shown.width === 0 || isInSentence) return []
      if (shown.width >= 44 && shown.height >= 44) return []
      const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      return [`${element.tagName} "${label.slice(0, 40)}" ${Math.round(shown.width)} × ${Math.round(shown.height)}`]
    })
  })
}
