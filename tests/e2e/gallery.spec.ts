// Tests the photos of the drop page: swiping, arrows, the full screen, how they load, and no motion for people who
// prefer none.
import { expect, type Page } from '@playwright/test'
import { createSellerAndDrop } from '../support/e2e'
import { drawing, largePhoto } from '../support/photos'
import { nextFrame, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

/**
 * Swipes across the picture, to the left if the distance is positive. Fewer steps make the swipe faster. `rests` is the
 * number of frames for which the finger rests before it is lifted.
 */
async function swipe(page: Page, distance: number, { steps = 5, rests = 0 } = {}): Promise<void> {
  const box = (await page.getByRole('region', { name: 'Photos' }).boundingBox())!
  const session = await page.context().newCDPSession(page)
  const y = box.y + box.height / 4
  const from = box.x + box.width / 2 + distance / 2
  const at = (x: number) => [{ x: Math.round(x), y: Math.round(y) }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
  for (let step = 1; step <= steps; step += 1) {
    const touchPoints = at(from - (distance * step) / steps)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  for (let frame = 0; frame < rests; frame += 1) await nextFrame(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

const offset = (page: Page, position: number) =>
  page
    .getByRole('group', { name: `${position} of 3` })
    .boundingBox()
    .then((box) => Math.round(box!.x))

test('a swipe of more than 50 px changes the picture, and a shorter one does not', async ({ page }) => {
  const pictures = ['ceramic-mug-1', 'ceramic-mug-2', 'ceramic-mug-3'].map(drawing)
  const { path } = await createSellerAndDrop({}, { pictures })
  await openHydrated(page, path)
  const counter = page.getByText(/^Photo \d\/3$/)
  await expect(counter).toHaveText('Photo 1/3')
  await expect(page.getByRole('button', { name: 'Previous photo' })).toBeDisabled()

  await swipe(page, 70)
  await expect(counter).toHaveText('Photo 2/3')
  await expect.poll(() => offset(page, 2)).toBe(0)
  await swipe(page, 40)
  await expect.poll(() => offset(page, 2)).toBe(0)
  await expect(counter).toHaveText('Photo 2/3')
  await swipe(page, -40)
  await expect.poll(() => offset(page, 2)).toBe(0)
  await expect(counter).toHaveText('Photo 2/3')
  await swipe(page, 300, { steps: 2 })
  await expect(counter).toHaveText('Photo 3/3')
  await expect.poll(() => offset(page, 3)).toBe(0)
  await swipe(page, 300)
  await expect.poll(() => offset(page, 3)).toBe(0)
  await expect(counter).toHaveText('Photo 3/3')
  await swipe(page, -70)
  await expect(counter).toHaveText('Photo 2/3')
  await expect.poll(() => offset(page, 2)).toBe(0)
  await swipe(page, -40, { steps: 2 })
  await expect.poll(() => offset(page, 2)).toBe(0)
  await expect(counter).toHaveText('Photo 2/3')
})

test('buttons change the picture', async ({ page }) => {
  const { path } = await createSellerAndDrop({}, { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) })
  await openHydrated(page, path)
  await expect(page.getByText('Photo 1/2')).toBeVisible()
  await page.getByRole('button', { name: 'Next photo' }).click()
  await expect(page.getByText('Photo 2/2')).toBeVisible()
  await page.getByRole('button', { name: 'Previous photo' }).click()
  await expect(page.getByText('Photo 1/2')).toBeVisible()
})

test('without motion, the next photo is shown at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { path } = await createSellerAndDrop({}, { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) })
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Previous photo' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Next photo' })).toBeEnabled()
  const positions = await page.evaluate(async () => {
    const track = document.querySelector('[data-gallery-track]')!
    const seen = new Set<number>()
    document.querySelector<HTMLButtonElement>('[aria-label="Next photo"]')!.click()
    for (let frame = 0; frame < 30; frame += 1) {
      await new Promise(requestAnimationFrame)
      seen.add(Math.round(track.getBoundingClientRect().left))
    }
    return [...seen]
  })
  // The first frames may still show the photo from before.
  expect(positions.length).toBeLessThanOrEqual(2)
  await expect(page.getByText('Photo 2/2')).toBeVisible()
})

test('a vertical swipe that begins on the picture scrolls the page, and a swipe of 50 px keeps the picture', async ({
  page,
}) => {
  const pictures = ['ceramic-mug-1', 'ceramic-mug-2', 'ceramic-mug-3'].map(drawing)
  const { path } = await createSellerAndDrop({}, { pictures })
  await openHydrated(page, path)
  const counter = page.getByText(/^Photo \d\/3$/)
  await expect(page.getByRole('button', { name: 'Next photo' })).toBeEnabled()
  // While the finger rests, the picture moves a little farther than the finger.
  for (const rests of [0, 3, 6, 12]) {
    await swipe(page, 50, { rests })
    await expect.poll(() => offset(page, 1)).toBe(0)
    await expect(counter).toHaveText('Photo 1/3')
  }
  const box = (await page.getByRole('region', { name: 'Photos' }).boundingBox())!
  const session = await page.context().newCDPSession(page)
  const at = (y: number) => [{ x: Math.round(box.x + box.width / 2), y: Math.round(y) }]
  const from = box.y + box.height * 0.8
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
  for (let moved = 20; moved <= 200; moved += 20) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from - moved) })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  await expect(counter).toHaveText('Photo 1/3')
})

test('the first picture is small and loads first, and the others load later', async ({ page }) => {
  const { path } = await createSellerAndDrop({}, { pictures: [await largePhoto(), drawing('ceramic-mug-2')] })
  const hero = page.waitForResponse('**/media/drops/**')
  await openHydrated(page, path)
  const answer = await hero
  expect(answer.headers()['content-type']).toMatch(/^image\/(?:avif|webp)$/)
  expect((await answer.body()).length).toBeLessThanOrEqual(150 * 1024)
  const images = page.getByRole('region', { name: 'Photos' }).locator('img')
  await expect(images).toHaveCount(2)
  await expect(images.nth(0)).toHaveAttribute('fetchpriority', 'high')
  await expect(images.nth(0)).toHaveAttribute('loading', 'eager')
  await expect(images.nth(0)).toHaveAttribute('sizes', /vw/)
  await expect(images.nth(1)).toHaveAttribute('loading', 'lazy')
  await expect(images.nth(1)).not.toHaveAttribute('fetchpriority', 'high')
})

test('a tap opens the picture on the full screen, where it can be enlarged', async ({ page }) => {
  const { path } = await createSellerAndDrop()
  await openHydrated(page, path)
  await page
    .getByRole('link', { name: /: view full screen$/ })
    .first()
    .tap()
  const viewer = page.getByRole('dialog', { name: 'Photos, full screen' })
  const picture = viewer.getByRole('img').first()
  await expect(picture).toBeVisible()
  const width = async () => (await picture.boundingBox())!.width
  const before = await width()
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(width).toBeGreaterThan(before * 1.2)
  await viewer.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(width).toBeCloseTo(before, 0)
  await viewer.getByRole('button', { name: 'Close' }).click()
  await expect(viewer).toHaveCount(0)
})
