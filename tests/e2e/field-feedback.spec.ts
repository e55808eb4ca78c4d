// Tests what fields say while someone types: whether a name or a link is free, and the fields for passwords.
import { expect, type Page } from '@playwright/test'
import { createSellerAndDrop, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

/** Types into a field and resolves to the milliseconds until the page shows the text. */
async function timeUntil(page: Page, label: string, typed: string, text: string): Promise<number> {
  const field = page.getByLabel(label, { exact: true })
  await field.fill('')
  const time = page.evaluate((wanted) => {
    return new Promise<number>((resolve) => {
      let typedAt = NaN
      document.addEventListener('input', () => (typedAt = performance.now()), { capture: true, once: true })
      const look = () => {
        if (!Number.isNaN(typedAt) && document.body.innerText.includes(wanted)) resolve(performance.now() - typedAt)
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }, text)
  await field.fill(typed)
  return time
}

/** Each check is repeated, because a busy machine may be slow once. */
const TRIES = 3

test('the username field says in words whether a name is free, within a second', async ({ page, seller }) => {
  for (const path of ['/signup', '/login?mode=signup']) {
    await openHydrated(page, path)
    // What was typed on the first form is kept for the second one.
    await page.getByLabel('Username').fill('')
    await expect(page.getByText('3-20 characters, letters, numbers, underscores only')).toBeVisible()
    const times: number[] = []
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      times.push(await timeUntil(page, 'Username', uniqueName('free'), 'Username is available!'))
    }
    expect(Math.min(...times), `${path}: ${times.join()}`).toBeLessThanOrEqual(1_000)
    await page.getByLabel('Username').fill(seller.username)
    await expect(page.getByText('This username is already taken.')).toBeVisible()
    await page.route('**/check-username/*', () => undefined)
    await page.getByLabel('Username').fill(uniqueName('slow'))
    await expect(page.getByText('Checking username…')).toBeVisible()
    await page.unroute('**/check-username/*')
    await page.route('**/check-username/*', (route) => route.abort())
    await page.getByLabel('Username').fill(uniqueName('lost'))
    await expect(page.getByText('Unable to check username availability.')).toBeVisible()
    await page.unroute('**/check-username/*')
  }
})

test('the field for a custom link says in words whether the link is free, within a second', async ({ page }) => {
  const slug = uniqueName('taken').replace('_', '-')
  await createSellerAndDrop({ customSlug: slug }, { plan: 'pro' })
  await signIn(page.context(), await signUp(testedApp(), { plan: 'pro' }))
  await openHydrated(page, '/create')
  await expect(page.getByText('Leave empty for an automatic link.')).toBeVisible()
  const field = page.getByLabel('Custom Link')
  const label = (await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent)) ?? ''
  const times: number[] = []
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    times.push(await timeUntil(page, label, `${slug}-${attempt}`, 'This link is available.'))
  }
  expect(Math.min(...times), times.join()).toBeLessThanOrEqual(1_000)
  await field.fill(slug)
  await expect(page.getByText('This custom link is already taken.')).toBeVisible()
  await page.route('**/check-slug/*', () => undefined)
  await field.fill(`${slug}-slow`)
  await expect(page.getByText('Checking…')).toBeVisible()
  await page.unroute('**/check-slug/*')
  await page.route('**/check-slug/*', (route) => route.abort())
  await field.fill(`${slug}-lost`)
  await expect(page.getByText(/couldn't check|can't check|Unable to check/i)).toBeVisible()
})

test('a password can be pasted, shown and filled in by a password manager', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [path, kind] of [
    ['/login', 'current-password'],
    ['/signup', 'new-password'],
    ['/reset-password?token=example', 'new-password'],
  ] as const) {
    await openHydrated(page, path)
    const fields = page.locator('input[type="password"]')
    const count = await fields.count()
    expect(count, path).toBeGreaterThan(0)
    for (const field of await fields.all()) await expect(field, path).toHaveAttribute('autocomplete', kind)
    const field = fields.first()
    await page.evaluate(() => navigator.clipboard.writeText('a pasted secret'))
    await field.focus()
    await page.keyboard.press('ControlOrMeta+v')
    await expect(field).toHaveValue('a pasted secret')
    await page.getByRole('button', { name: 'Show password' }).first().click()
    await expect(fields).toHaveCount(count - 1)
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(fields).toHaveCount(count)
    await expect(field).toHaveValue('a pasted secret')
  }
  await openHydrated(page, '/login')
  await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', /\busername\b/)
})
