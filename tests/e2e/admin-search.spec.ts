// Tests the search of the admin panel, with the keyboard and without JavaScript, and the saved filters of its lists.
import { expect, type Page } from '@playwright/test'
import { createSellerAndDrop, testedApp } from '../support/e2e'
import { expectAwake, expectGoodScreen, expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

async function asAdmin(page: Page): Promise<void> {
  const url = `${testedApp().url}/api/auth/login`
  const answer = await page.request.post(url, { data: { email: 'admin', password: 'lastcall-demo' } })
  expect(answer.status()).toBe(200)
}

test('the search opens with a shortcut, works with the keyboard alone, and leads to what it finds', async ({
  page,
}) => {
  const { drop, seller } = await createSellerAndDrop()
  await asAdmin(page)
  await page.goto('/admin')
  await expectAwake(page.getByRole('link', { name: 'Search' }))
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const box = dialog.getByRole('combobox', { name: 'Search the panel' })
  await expect(box).toBeFocused()
  await page.keyboard.type(drop.title)
  const hit = dialog.getByRole('group', { name: 'Drops' }).getByRole('option', { name: drop.title })
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute('aria-activedescendant', (await hit.getAttribute('id'))!)
  await expectGoodScreen(page, 'admin search')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const button = page.getByRole('link', { name: 'Search' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type(seller.email)
  const options = dialog.getByRole('option')
  await expect(options.filter({ hasText: `@${seller.username}` }).first()).toHaveAttribute('aria-selected', 'true')
  // The first option follows the last one, and the Tab key stays in the dialog.
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await box.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=users/)
  await expect(page.getByRole('button', { name: new RegExp(`@${seller.username}`) })).toBeVisible()
})

test('choosing an action in the search opens its page and changes nothing', async ({ page }) => {
  await asAdmin(page)
  await page.goto('/admin/orders')
  await expectHydrated(page)
  await page.keyboard.press('Meta+k')
  await page.keyboard.type('pause platform')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('Platform Active')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a filter is kept in the URL, and can be saved and removed', async ({ page }) => {
  await asAdmin(page)
  await page.goto('/admin?tab=users')
  await page.getByLabel('Show', { exact: true }).selectOption('admin')
  await expect(page).toHaveURL(/tab=users&show=admin/)
  await page.getByRole('button', { name: 'Save this filter' }).click()
  await page.goto('/admin?tab=users')
  await page.getByRole('link', { name: 'admin', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Show', exact: true })).toHaveValue('admin')
  await expectGoodScreen(page, 'admin users with a saved filter')
  await page.getByRole('button', { name: 'Remove the saved filter Users: admin' }).click()
  await expect(page.getByRole('link', { name: 'admin', exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: /All well|needs? a look/ }).click()
  await expect(page.getByRole('heading', { name: 'Health' })).toBeInViewport()
})

test('only administrators may search, and an empty or too long search is refused', async ({ page, seller }) => {
  const search = (query: string, headers = {}) =>
    page.request.get(`${testedApp().url}/api/admin/search${query}`, { headers }).then((answer) => answer.status())
  expect(await search('?q=a')).toBe(401)
  expect(await search('?q=a', { cookie: seller.cookie })).toBe(403)
  await asAdmin(page)
  expect(await search('?q=a')).toBe(200)
  for (const bad of ['', '?q=', '?q=%00', `?q=${'x'.repeat(201)}`, '?q=a&limit=500']) {
    expect([bad, await search(bad)]).toEqual([bad, 400])
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the search works as a page of its own', async ({ page, drop }) => {
    await asAdmin(page)
    await page.goto('/admin/orders')
    await page.getByRole('link', { name: 'Search' }).click()
    await page.getByRole('searchbox', { name: 'Search the panel' }).fill(drop.identifier)
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('link', { name: drop.title })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Drops' })).toBeVisible()
  })
})
