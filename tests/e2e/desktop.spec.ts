import { expect, test } from '@playwright/test'
import { createDrop, signUp, theShop } from '../support/e2e'

test('on a wide screen the buy button is beside the picture, and nothing is wider than the window', async ({
  page,
}) => {
  const shop = theShop()
  const drop = await createDrop(shop, await signUp(shop))
  for (const path of ['/', `/drop/${drop.identifier}`, '/login']) {
    await page.goto(path)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, path).toBe(0)
  }
  await page.goto(`/drop/${drop.identifier}`)
  const buttons = page.getByRole('button', { name: /^Buy/ })
  await expect(buttons).toHaveCount(1)
  const picture = await page.getByRole('group', { name: '1 of 1' }).boundingBox()
  const button = await buttons.boundingBox()
  expect(button?.x ?? 0).toBeGreaterThan((picture?.x ?? 0) + (picture?.width ?? 0))
  await buttons.click()
  await expect(page.getByLabel('Card number')).toBeVisible()
})
