// Extends the browser tests' own `test` with a record of each step, so that a person can read afterwards which keys
// were pressed, what had the focus and what screen readers could announce. Each test writes its steps to steps.txt in
// its own folder in test-results/, together with a picture of each screen.
import { expect, type Locator, type Page } from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import { findViolations } from './find-violations'
import { test as base } from './test'

export type Recording = {
  /** Adds a line to the record. */
  note: (line: string) => void
  /** The live regions that have announced something, in order, such as `alert: Your card was declined.` */
  announced: string[]
  /** Adds a heading and the accessibility tree of a screen, and checks the screen with axe. */
  screen: (name: string) => Promise<void>
}

export const test = base.extend<{ recording: Recording }>({
  recording: async ({ page, javaScriptEnabled, contextOptions }, provide, info) => {
    const lines: string[] = [info.titlePath.slice(1).join(' › '), '']
    const note = (line: string) => void lines.push(line)
    const announced: string[] = []
    await page.exposeFunction('lastcallAnnounced', (line: string) => {
      if (announced.at(-1) === line) return
      announced.push(line)
      note(`    announced: ${line}`)
    })
    await page.addInitScript(watchLiveRegions)
    let pictures = 0
    const screen = async (name: string) => {
      await page.evaluate(() => document.fonts.ready)
      note(`\n# ${name} – ${new URL(page.url()).pathname}`)
      note((await page.locator('body').ariaSnapshot()).replace(/^/gm, '  | '))
      pictures += 1
      const file = `${String(pictures).padStart(2, '0')} ${name.replaceAll(/[^\w ,]/g, '')}.png`
      await page.screenshot({ path: info.outputPath(file), animations: 'disabled' })
      // Axe cannot run without scripts. With forced colors it sees the colors of the style sheets instead of those on
      // the screen.
      if (javaScriptEnabled) await expectNoViolations(page, name, contextOptions.forcedColors === 'active')
    }
    await provide({ note, announced, screen })
    await writeFile(info.outputPath('steps.txt'), `${lines.join('\n')}\n`)
  },
})

async function expectNoViolations(page: Page, name: string, isForced: boolean): Promise<void> {
  // The contrast of a message that is fading in or out is too low, so nothing may move while axe looks.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const found = await findViolations(page, { rules: { 'color-contrast': { enabled: !isForced } } })
  await page.emulateMedia({ reducedMotion: null })
  expect.soft(found, name).toEqual([])
}

/** Reports what live regions say. It runs in the page before the page's own scripts. */
function watchLiveRegions(): void {
  const REGIONS = '[role="status"], [role="alert"], [role="log"], [aria-live="polite"], [aria-live="assertive"]'
  const said = new WeakMap<Element, string>()
  const report = (region: Element) => {
    const text = region.textContent.replaceAll(/\s+/g, ' ').trim()
    if (said.get(region) === text) return
    said.set(region, text)
    const kind = region.getAttribute('role') ?? region.getAttribute('aria-live')
    const { lastcallAnnounced } = window as typeof window & { lastcallAnnounced: (line: string) => void }
    if (text) lastcallAnnounced(`${kind}: ${text}`)
  }
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest(REGIONS)
      if (region) report(region)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node.matches(REGIONS)) report(node)
        node.querySelectorAll(REGIONS).forEach(report)
      }
    }
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
}

type Stop = { id: number; isMarked: boolean; visiblePart: number }

/**
 * Presses a key that moves the focus, and checks where the focus is afterwards: it must be visible, and nothing may
 * cover the element (WCAG 2.4.7 and 2.4.11). Returns a number that identifies the element, or null when the focus has
 * left the page.
 */
async function moveFocus(page: Page, { note }: Recording, key: string): Promise<number | null> {
  await page.keyboard.press(key)
  const stop = await page.evaluate(readFocus)
  if (!stop) {
    note(`  ${key} → the focus leaves the page`)
    return null
  }
  const name = await nameOfFocus(page)
  note(`  ${key} → ${name}`)
  expect.soft(stop.isMarked, `the focus on ${name} can be seen`).toBe(true)
  // The browser may still be scrolling to the element, and a bar may be moving out of its way.
  const visiblePart = async () => (await page.evaluate(readFocus))?.visiblePart
  const lasting = expect.configure({ soft: true, timeout: 3_000 })
  await lasting.poll(visiblePart, `nothing covers ${name}`).toBeGreaterThanOrEqual(0.5)
  return stop.id
}

async function nameOfFocus(page: Page): Promise<string> {
  const [first = ''] = (await page.locator(':focus').ariaSnapshot()).split('\n')
  return first.replace(/^- /, '').replace(/:$/, '')
}

function readFocus(): Stop | null {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return null
  const seen = ((window as typeof window & { lastcallStops?: WeakMap<Element, number> }).lastcallStops ??=
    new WeakMap())
  const counter = window as typeof window & { lastcallStopCount?: number }
  if (!seen.has(element)) seen.set(element, (counter.lastcallStopCount = (counter.lastcallStopCount ?? 0) + 1))
  // A radio button may be hidden from all but screen readers. Its label then shows the focus.
  const box = element.getBoundingClientRect()
  const label = element instanceof HTMLInputElement && box.width <= 1 ? element.labels?.[0] : null
  const shown = label ?? element
  const { outlineStyle, outlineWidth } = getComputedStyle(shown)
  const isOutlined = outlineStyle === 'auto' || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2)
  // A list that is larger than the window cannot be shown as a whole. Of such a list, the part in the window counts.
  const whole = shown.getBoundingClientRect()
  const isLarge = whole.height > innerHeight / 2
  const [top, bottom] = isLarge
    ? [Math.max(0, whole.top), Math.min(innerHeight, whole.bottom)]
    : [whole.top, whole.bottom]
  const points = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [whole.left + whole.width * x, top + (bottom - top) * y]),
  )
  const isHit = ([x = 0, y = 0]: number[]) => {
    const hit = document.elementFromPoint(x, y)
    return (
      hit !== null &&
      (shown.contains(hit) ||
        (hit.contains(shown) && hit.closest('[data-bottom-bar]') === shown.closest('[data-bottom-bar]')))
    )
  }
  return {
    id: seen.get(element) ?? 0,
    isMarked: isOutlined && element.matches(':focus-visible'),
    visiblePart: points.filter(isHit).length / points.length,
  }
}

const MOST_STOPS = 150

/**
 * Walks through a whole screen with Tab from its start, and back with Shift+Tab. The focus must reach the end, and must
 * come back over the same elements.
 */
export async function walkScreen(page: Page, recording: Recording, name: string): Promise<void> {
  await recording.screen(name)
  await page.evaluate(() => {
    window.scrollTo(0, 0)
    // The next Tab starts at the element that had the focus last. So the body takes it: a cleared focus, or a moved
    // selection, sometimes leaves the start where it was, and the walk would begin in the middle of the page.
    document.body.tabIndex = -1
    document.body.focus({ preventScroll: true })
    document.body.removeAttribute('tabindex')
  })
  const stops: number[] = []
  for (;;) {
    const id = await moveFocus(page, recording, 'Tab')
    if (id === null || id === stops[0]) break
    expect(stops.length, `${name}: the focus reaches the end`).toBeLessThan(MOST_STOPS)
    expect(stops.at(-1), `${name}: Tab moves the focus`).not.toBe(id)
    stops.push(id)
  }
  expect(stops.length, `${name} has elements that take the focus`).toBeGreaterThan(0)
  recording.note(`  (${stops.length} stops; now back)`)
  const back: number[] = []
  // The focus leaves the page for the browser once, at the edge of the page. A second time, elements were left out.
  let exits = 0
  while (back.length < stops.length && exits < 2) {
    await page.keyboard.press('Shift+Tab')
    const stop = await page.evaluate(readFocus)
    if (stop) back.push(stop.id)
    else exits += 1
  }
  expect(back.toReversed(), `${name}: Shift+Tab goes back the same way`).toEqual(stops)
}

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, recording: Recording, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await moveFocus(page, recording, key)
  }
  throw new Error(`the focus never reached ${target}`)
}

/** Presses a key, and records the key and the element that has the focus. */
export async function press(page: Page, { note }: Recording, key: string): Promise<void> {
  note(`  ${key} on ${(await page.locator(':focus').count()) ? await nameOfFocus(page) : 'the page'}`)
  await page.keyboard.press(key)
}

export async function type(page: Page, { note }: Recording, text: string): Promise<void> {
  note(`  types “${text}” into ${await nameOfFocus(page)}`)
  await page.keyboard.type(text)
}

/** Expects an element of the page to have the focus. Without one, a screen reader would start again at the top. */
export async function expectFocusKept(page: Page, { note }: Recording, after: string): Promise<void> {
  await expect.poll(() => page.locator(':focus').count(), `the focus is kept after ${after}`).toBe(1)
  note(`  the focus is on ${await nameOfFocus(page)}`)
}
