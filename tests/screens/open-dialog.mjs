/**
 * @param {import('@playwright/test').Page} page
 * @param {string} button its name
 */
export async function openDialog(page, button) {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
}
