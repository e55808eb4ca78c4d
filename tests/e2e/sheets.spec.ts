// Tests sheets and bars on a phone: the back button closes a sheet and restores the focus, the edit sheet keeps what is
// typed, the help button hides while the page scrolls down, and the bottom bar fits.
import { expect, type Page } from '@playwright/test'
import { moveEnd, createSellerAndDrop, signIn, signUp, testedApp } from '../support/e2e'
import { nextFrame, openHydrated, widthOf } from '../support/screen-checks'
import { test } from '../support/test'

const openHelp = (page: Page) => page.getByRole('button', { name: 'Open help chat' })

test('the back button closes a sheet and stays on the page', async ({ page }) => {
  await signIn(page.context(), await signUp(testedApp()))
  await page.goto('/terms-of-service')
  await page.goto('/')
  const settings = page.getByRole('button', { name: 'Settings', exact: true })
  const dialog = page.getByRole('dialog')
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape'), () => page.goBack()]) {
    await settings.focus()
    await settings.press('Enter')
    await expect(dialog).toBeVisible()
    await expect.poll(() => page.evaluate(() => (history.state as { isSheet?: boolean }).isSheet)).toBe(true)
    await close()
    await expect(dialog).toBeHidden()
    await expect(settings).toBeFocused()
    await expect.poll(() => page.evaluate(() => (history.state as { isSheet?: boolean }).isSheet)).toBeUndefined()
  }
  // One sheet replaces another, and the history gets no second entry.
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await dialog.getByRole('button', { name: /Upgrade/ }).click()
  await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  expect(new URL(page.url()).pathname).toBe('/')
  // A link inside the sheet replaces the sheet's entry in the history, so one step back is enough.
  await settings.click()
  await dialog.getByRole('link', { name: 'Your devices' }).click()
  await expect(page).toHaveURL(/account#devices$/)
  await page.goBack()
  await expect(settings).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/terms-of-service$/)
})

test('the help button is on a bar, hides while the page scrolls down, and returns when it scrolls up', async ({
  page,
}) => {
  await openHydrated(page, '/terms-of-service')
  const bar = page.locator('.help-bar')
  const height = page.viewportSize()!.height
  const top = async () => Math.round((await bar.boundingBox())?.y ?? 0)
  await expect(openHelp(page)).toBeInViewport()
  // The bar is opaque, so no text shows through.
  expect(await bar.evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/^rgb\(/)
  expect((await bar.boundingBox())?.width).toBe(390)
  await page.mouse.wheel(0, 900)
  await expect.poll(top).toBeGreaterThanOrEqual(height)
  // The keyboard can still reach the button.
  await openHelp(page).focus()
  await expect(openHelp(page)).toBeInViewport({ ratio: 1 })
  await openHelp(page).blur()
  await expect.poll(top).toBeGreaterThanOrEqual(height)
  await page.mouse.wheel(0, -100)
  await expect(openHelp(page)).toBeInViewport({ ratio: 1 })
  // At the end of the page, the bar does not cover the last line.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(openHelp(page)).toBeInViewport({ ratio: 1 })
  const last = await page.getByRole('link', { name: 'Prohibited Content' }).last().boundingBox()
  expect(last!.y + last!.height).toBeLessThanOrEqual(await top())
})

test('the help button stays in place at the end of a checkout, so that the page does not change its height', async ({
  page,
}) => {
  const { drop } = await createSellerAndDrop()
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const before = await height()
  await page.mouse.wheel(0, 500)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(500)
  await nextFrame(page)
  expect(await height()).toBe(before)
})

test('the bar of an ended drop fits a screen of 320 px, and with a longer text a screen of 390 px', async ({
  page,
}) => {
  const { shop, drop, path } = await createSellerAndDrop()
  await moveEnd(shop, drop.id, -60)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(path)
  const bar = page.locator('[data-bottom-bar]')
  const overflowing = () =>
    bar.evaluate(
      (element) =>
        [...element.querySelectorAll('button, a')].filter((button) => button.scrollWidth > button.clientWidth).length,
    )
  await expect(bar.getByRole('button', { name: 'Drop Expired' })).toBeVisible()
  expect(await overflowing()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await bar.getByRole('button', { name: 'Drop Expired' }).evaluate((button) => (button.textContent += ' lorem'))
  expect(await overflowing()).toBe(0)
  expect(await widthOf(page)).toBe(390)
})

async function openEdit(page: Page) {
  const { shop, seller, drop } = await createSellerAndDrop()
  await signIn(page.context(), seller)
  await page.clock.install()
  await openHydrated(page, '/')
  await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Description').fill('Thrown by hand, glazed three times.')
  const poll = async () => {
    // Waits for a request that begins now, because the response to an earlier one may still be pending.
    const request = page.waitForRequest((sent) => sent.url().endsWith('/api/drops/user'))
    await page.clock.fastForward(11_000)
    return (await (await request).response())?.status()
  }
  return { shop, seller, drop, sheet, poll }
}

test('the edit sheet keeps what is typed when the session ends', async ({ page }) => {
  const { shop, seller, drop, sheet, poll } = await openEdit(page)
  const pdf = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await sheet.getByLabel('Add product images').setInputFiles([pdf])
  await expect(page.getByText(/notes\.pdf isn't a photo we can read/).first()).toBeVisible()
  await expect(sheet.getByRole('img', { name: /^New photo/ })).toHaveCount(0)

  await page.context().clearCookies()
  expect(await poll()).toBe(401)
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByRole('link', { name: 'sign in again in a new tab' })).toHaveAttribute('target', '_blank')
  expect(await poll()).toBe(401)
  await expect(sheet.getByLabel('Description')).toHaveValue('Thrown by hand, glazed three times.')
  await signIn(page.context(), seller)
  const refreshed = page.waitForResponse((response) => response.url().endsWith('/api/drops/user') && response.ok())
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet).toBeHidden()
  await (await refreshed).finished()
  const text = 'SELECT "description" FROM "Drop" WHERE "id" = $1'
  expect(await shop.query(text, [drop.id])).toEqual([{ description: 'Thrown by hand, glazed three times.' }])
  // Without an open sheet, the page redirects to the login page. Any request can be the one that finds out, such as the
  // page's own refresh after the edit.
  await page.context().clearCookies()
  await page.clock.fastForward(11_000)
  await expect(page).toHaveURL(/\/login\?redirect=/)
})

test('a sheet stays open when it opens before the history entry of the sheet before it is removed', async ({
  page,
}) => {
  const { seller } = await createSellerAndDrop()
  await signIn(page.context(), seller)
  // A browser goes back a moment after the call. Here it goes back only when the test says so.
  await page.addInitScript(() => {
    const push = window.history.pushState.bind(window.history)
    const counts = { goBack: null as (() => void) | null, entries: 0 }
    window.history.pushState = (state: { isSheet?: boolean } | null, ...rest) => {
      if (state?.isSheet) counts.entries += 1
      push(state, ...rest)
    }
    const back = window.history.back.bind(window.history)
    window.history.back = () => (counts.goBack = back)
    Object.assign(window, { counts })
  })
  const read = <Value>(work: (counts: { goBack: (() => void) | null; entries: number }) => Value) =>
    page.evaluate(`(${work.toString()})(window.counts)`) as Promise<Value>
  await page.goto('/')
  const edit = page.getByRole('button', { name: /^Edit (?!Profile$)/ })
  const sheet = page.getByRole('dialog')
  await edit.click()
  await expect.poll(() => read(({ entries }) => entries)).toBe(1)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => read(({ goBack }) => goBack !== null)).toBe(true)
  await edit.click()
  await expect(sheet).toBeVisible()
  await read(({ goBack }) => goBack?.())
  // The open sheet gets an entry of its own.
  await expect.poll(() => read(({ entries }) => entries)).toBe(2)
  await expect(sheet).toBeVisible()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(edit).toBeVisible()
})

test('the edit sheet shows that its drop has ended, and keeps what is typed', async ({ page }) => {
  const { shop, drop, sheet, poll } = await openEdit(page)
  await moveEnd(shop, drop.id, -5)
  expect(await poll()).toBe(200)
  await expect(sheet.getByRole('status')).toHaveText('This drop has ended, so it can no longer be edited.')
  await expect(sheet.getByLabel('Description')).toHaveValue('Thrown by hand, glazed three times.')
  await expect(sheet.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  await expect(sheet).toBeHidden()
  // The archive job runs every 15 s, so the drop may not be archived yet.
  await expect(page.locator(`#drop-${drop.id}`).getByText(/^(Expired|Archived)$/)).toBeVisible()
})

test('the edit sheet asks before it discards what was typed', async ({ page }) => {
  const { sheet } = await openEdit(page)
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await page.goBack()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(question).toBeHidden()
  await expect(sheet.getByLabel('Description')).toHaveValue('Thrown by hand, glazed three times.')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: /^Hi @/ })).toBeVisible()
})

test('a sheet is at the lower edge, leaves a tenth of the screen free, and is closed by X and by a tap beside it', async ({
  page,
}) => {
  await signIn(page.context(), await signUp(testedApp()))
  await openHydrated(page, '/')
  const dialog = page.getByRole('dialog')
  for (const close of [
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.touchscreen.tap(195, 20),
  ]) {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    // The sheet slides in.
    await dialog.evaluate((sheet) => Promise.all(sheet.getAnimations().map(({ finished }) => finished)))
    const box = (await dialog.boundingBox())!
    expect(box.x).toBe(0)
    expect(box.width).toBe(390)
    expect(box.y + box.height).toBeCloseTo(844, 0)
    expect(box.height).toBeLessThanOrEqual(844 * 0.9 + 1)
    await close()
    await expect(dialog).toBeHidden()
  }
})
