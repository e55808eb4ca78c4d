// The checks of a screen at a zoom of 400 % (WCAG 1.4.10 and 1.4.12) and on low screens.
import { expect, type Page } from '@playwright/test'
import { nextFrame, widthOf } from './screen-checks'

/** A window of 1280 × 1024 px at a zoom of 400 %. */
export const ZOOMED = { width: 320, height: 256 }
/** A phone that is held sideways. */
export const SIDEWAYS = { width: 844, height: 390 }

/**
 * Checks that the page does not scroll sideways, that no text is cut off, and that bars leave most of the screen free.
 * It checks this with the normal text spacing, and unless `spacings` leaves it out also with that of WCAG 1.4.12.
 */
export async function expectNothingCut(page: Page, name: string, spacings = [false, true]): Promise<void> {
  const { width } = page.viewportSize()!
  for (const isSpaced of spacings) {
    await page.evaluate(spaceTexts, isSpaced)
    await nextFrame(page)
    const how = `${name}${isSpaced ? ' with wide text spacing' : ''}`
    expect.soft(await widthOf(page), `${how}: its width`).toBeLessThanOrEqual(width)
    expect.soft(await page.evaluate(cutTexts), `${how}: texts that are cut off`).toEqual([])
    expect.soft(await page.evaluate(coveredPart), `${how}: the part that bars cover`).toBeLessThanOrEqual(0.45)
  }
  await page.evaluate(spaceTexts, false)
}

/** Sets the text spacing of WCAG 1.4.12. A constructed style sheet works despite the content security policy. */
function spaceTexts(isOn: boolean): void {
  const sheet = new CSSStyleSheet()
  if (isOn) {
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`)
  }
  document.adoptedStyleSheets = [sheet]
}

/** Returns the elements whose text does not fit into a box that hides the rest of it. */
function cutTexts(): string[] {
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const { overflowX, overflowY, position } = getComputedStyle(element)
    const isHidden = !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const isForScreenReaders = position === 'absolute' && element.clientWidth <= 1
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    if (isHidden || isForScreenReaders || !hasText || element.closest('[aria-hidden="true"]')) return []
    const isCutX = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
    const isCutY = overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1
    const range = document.createRange()
    range.selectNodeContents(element)
    const box = range.getBoundingClientRect()
    // Finds the nearest ancestor that hides what does not fit into it.
    let frame = element.parentElement
    while (frame && !/hidden|clip/.test(getComputedStyle(frame).overflow)) frame = frame.parentElement
    const limit =
      frame && frame !== document.body && frame !== document.documentElement ? frame.getBoundingClientRect() : null
    const isOutside =
      limit !== null && limit.width > 1 && (box.right > limit.right + 1 || box.bottom > limit.bottom + 1)
    if (!isCutX && !isCutY && !isOutside) return []
    return [`${element.tagName} "${element.textContent.trim().slice(0, 50)}" (${element.getAttribute('class')})`]
  })
}

/** Returns which part of the screen's height is covered by bars that stay while the page scrolls. */
function coveredPart(): number {
  const rows = 50
  let covered = 0
  for (let row = 0; row < rows; row += 1) {
    let element = document.elementFromPoint(innerWidth / 2, ((row + 0.5) / rows) * innerHeight)
    while (element && !['fixed', 'sticky'].includes(getComputedStyle(element).position)) element = element.parentElement
    // A column that stays beside another one covers nothing. Toasts, in a fixed list, go away and can be dismissed.
    const isToast = element?.tagName === 'OL'
    if (element && !isToast && element.clientWidth > innerWidth * 0.6) covered += 1
  }
  return covered / rows
}
