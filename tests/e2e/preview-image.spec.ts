// Tests that the preview image of a drop draws emoji, letters of six scripts besides Latin, and a long title.
import { expect } from '@playwright/test'
import sharp from 'sharp'
import { createDrop, signUp, testedApp } from '../support/e2e'
import { test } from '../support/test'

/** The area of the title beside the photo, in pixels. The price can also be in this area. */
const TITLE_AREA = { left: 558, top: 100, width: 590, height: 280 }

type Ink = { dark: number; colorful: number }

/**
 * Makes a drop with this title, and returns the fractions of dark and of colorful pixels in the title's area of its
 * preview image. All these drops have the same price.
 */
async function inkOf(title: string): Promise<Ink> {
  const shop = testedApp()
  const drop = await createDrop(shop, await signUp(shop), { title })
  const answer = await fetch(`${shop.url}/drop/${drop.identifier}/opengraph-image`)
  expect(answer.status).toBe(200)
  const image = sharp(Buffer.from(await answer.arrayBuffer()))
  const { data, info } = await image.extract(TITLE_AREA).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let [dark, colorful] = [0, 0]
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (Math.max(red, green, blue) < 90) dark += 1
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 80) colorful += 1
  }
  const pixels = info.width * info.height
  return { dark: dark / pixels, colorful: colorful / pixels }
}

test('emoji are drawn in their colors', async () => {
  const [plain, emoji] = await Promise.all([inkOf('Mug'), inkOf('Mug 💥🎉🇯🇵👩🏽‍🎨❤️')])
  expect(plain.colorful).toBeLessThan(0.001)
  expect(emoji.colorful).toBeGreaterThan(0.02)
})

for (const [script, title] of [
  ['Japanese', '限定手作り陶器のマグカップ'],
  ['Chinese', '手工制作的限量版陶瓷杯子'],
  ['Korean', '한정판 수제 도자기 머그컵'],
  ['Cyrillic', 'Кружка ручной работы'],
  ['Arabic', 'كوب خزفي مصنوع يدويا'],
  ['Thai', 'แก้วเซรามิกทำมือใบใหญ่'],
] as const) {
  test(`letters of ${script} are drawn`, async () => {
    // In this area, the first image shows only a full stop and the price. Additional dark pixels in the second image
    // are letters of its title.
    const [nearlyNothing, written] = await Promise.all([inkOf('.'), inkOf(title)])
    expect(written.dark - nearlyNothing.dark).toBeGreaterThan(0.02)
  })
}

test('the last letters of a title with eighty letters are drawn', async () => {
  const start = '限定手作り陶器杯子碗盘茶壶'.repeat(6).slice(0, 75)
  const [dense, thin] = await Promise.all([inkOf(`${start}龍龍龍龍龍`), inkOf(`${start}一一一一一`)])
  expect(dense.dark - thin.dark).toBeGreaterThan(0.005)
})
