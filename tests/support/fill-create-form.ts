// Fills in and sends the create form as a seller does, for the browser tests of features that the form offers.
import { expect, type Page } from '@playwright/test'
import { drawing } from './photos'

/** Fills in the name, the description, one photo and the price. */
export async function fillCreateForm(page: Page, title: string, price: string): Promise<void> {
  await page.getByLabel('Product Name').fill(title)
  await page.getByLabel('Description').fill('Made by hand.')
  await page.getByLabel('Add product images').setInputFiles([drawing()])
  await page.getByLabel('Price').fill(price)
}

/** Opens the folded fields behind one line of the form, such as "Starts now". */
export async function openFold(page: Page, line: string): Promise<void> {
  await page.locator('summary').filter({ hasText: line }).click()
}

/** Publishes the drop of the form, and returns the link that its seller shares. */
export async function publishDrop(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible({ timeout: 30_000 })
  return page.getByText(/^http:\/\/\S+\/drop\/d[a-z0-9]{9}$/).innerText()
}
