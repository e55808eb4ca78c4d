/**
 * Opens a dialog with the first button of this name, and waits for the dialog.
 * @param {import('@playwright/test').Page} page
 * @param {string | RegExp} button the name of the button that opens the dialog
 */
export async function openDialog(page, button) {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
}

/**
 * Opens what the dashboard keeps behind "More" at the first active drop, and then the dialog of one of its buttons.
 * @param {import('@playwright/test').Page} page
 * @param {string} button
 */
export async function openMoreDialog(page, button) {
  await page
    .getByRole('button', { name: /^More about / })
    .first()
    .click()
  await openDialog(page, button)
}
