// The checks that the browser tests make on screens. They apply axe's rules for WCAG 2.2 AA and best practices in both
// themes. They also check the size of tap targets and of the letters in fields, and that nothing is wider than a narrow
// screen, even with large letters.
import { expect, type Locator, type Page } from '@playwright/test'
import { findViolations } from './find-violations'

/** The narrowest screen that has to work (WCAG 1.4.10). */
const NARROW_PX = 320
/** The width that a page has on a phone of 390 px when everything is zoomed to twice its size (WCAG 1.4.4). */
const LARGE_LETTERS_PX = 195

/** Axe's rules whose result depends on colors. */
const RULES_OF_COLORS = ['color-contrast', 'link-in-text-block']

/**
 * Checks the page in its present state, including an open dialog. Afterwards the viewport is 320 px wide and the theme
 * is dark.
 */
export async function expectGoodScreen(page: Page, name: string): Promise<void> {
  // React streams a slow part into a hidden element and shows it afterwards. Before that, a screen lacks what it
  // contains.
  await expect(page.locator('[hidden][id^="S:"]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await nextFrame(page)
    // The themes differ only in their colors, so the rules about anything else run once.
    const found = await findViolations(page, colorScheme === 'light' ? {} : { runOnly: RULES_OF_COLORS })
    expect.soft(found, `${name} in ${colorScheme}`).toEqual([])
  }
  expect.soft(await smallTargets(page), `${name}: targets`).toEqual([])
  expect.soft(await smallFields(page), `${name}: the letters of fields`).toEqual([])
  for (const width of [LARGE_LETTERS_PX, NARROW_PX]) {
    await page.setViewportSize({ width, height: 640 })
    await nextFrame(page)
    expect.soft(await widerThan(page, width), `${name} at ${width} px`).toEqual([])
  }
}

/** Waits until the next frame has begun, so that a new theme or width has taken effect. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Waits until React has hydrated this element. Before that, the browser and UnhydratedForms handle a press. */
export async function expectAwake(place: Locator): Promise<void> {
  const isAwake = () => place.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')))
  await expect.poll(isAwake).toBe(true)
}

/**
 * Waits until the page is hydrated. The drop page loads its scripts only after its picture, so a page that has loaded
 * may not be hydrated yet (ADR 0060).
 */
export async function expectHydrated(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'lastcallAwake') === true)).toBe(true)
}

/** Opens a page and waits until it is hydrated. */
export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expectHydrated(page)
}

export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}

/**
 * Returns an empty list if the page is no wider than `width`. Otherwise the list has the actual width, and every
 * visible element whose right edge, or whose content, lies beyond `width`.
 */
async function widerThan(page: Page, width: number): Promise<string[]> {
  const actual = await widthOf(page)
  if (actual <= width) return []
  const outside = await page.evaluate((limit) => {
    const endOf = (element: Element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return Math.round(Math.max(element.getBoundingClientRect().right, range.getBoundingClientRect().right))
    }
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && endOf(element) > limit)
      .map(
        (element) =>
          `${element.tagName} "${element.textContent.trim().slice(0, 30)}" ends at ${endOf(element)} (${element.getAttribute('class')})`,
      )
  }, width)
  return [`the page is ${actual} px wide`, ...outside]
}

/**
 * Returns the elements that can be tapped and are smaller than 44 × 44 px (docs/product.md#phones-first). Inline
 * links, as in a sentence, may be smaller (WCAG 2.5.8).
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const targets = document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="button"]')
    return [...targets].flatMap((element) => {
      const isHidden = !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      const box = element.getBoundingClientRect()
      // A radio button or file field may be hidden from all but screen readers. People then tap its label, so the size
      // of the label counts.
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

/** Returns the fields whose letters are smaller than 16 px. Safari on iPhones enlarges the page for such a field. */
function smallFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const fields = document.querySelectorAll(
      'input:not([type="radio"], [type="checkbox"], [type="file"], [type="range"]), select, textarea',
    )
    return [...fields].flatMap((field) => {
      const size = Number.parseFloat(getComputedStyle(field).fontSize)
      if (size >= 16 || !field.checkVisibility()) return []
      return [`${field.tagName} "${field.getAttribute('name') ?? field.id}" ${size} px`]
    })
  })
}
