import { expect } from '@playwright/test'
import { createDrop, signIn, signUp, testedApp } from '../support/e2e'
import { test } from '../support/test'

test('on a wide screen the buy button is beside the picture, and the landing, drop and login pages fit into the window', async ({
  page,
}) => {
  const shop = testedApp()
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

test('on the create form the help chat opens at the lower edge, and a link leads to the dashboard', async ({
  page,
  context,
}) => {
  const seller = await signUp(testedApp())
  await signIn(context, seller)
  await page.goto('/create')
  await expect(page.getByRole('link', { name: 'Your dashboard' })).toHaveAttribute('href', '/')
  await page.getByRole('button', { name: 'Open help chat' }).click()
  // On a wide screen the bar with the button is a normal part of the page, so the chat leaves no space for it.
  await expect(page.locator('.help-panel')).toHaveCSS('--bottom-bar', '0px')
})
