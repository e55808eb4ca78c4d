// Records a purchase and the publishing of a drop at a zoom of 400 %, on a phone held sideways, and with forced colors.
// On each screen nothing may scroll sideways or be cut off, and every step must be possible.
import { expect, type Page } from '@playwright/test'
import { cardPageAnswers } from '../support/card-page'
import { createSellerAndDrop, signUp, testedApp, uniqueName } from '../support/e2e'
import { drawing } from '../support/photos'
import { type Recording, test } from '../support/recorded-run'
import { expectHydrated, openHydrated } from '../support/screen-checks'
import { expectNothingCut, SIDEWAYS, ZOOMED } from '../support/zoomed-screen'

test.setTimeout(180_000)

async function look(page: Page, recording: Recording, name: string): Promise<void> {
  await recording.screen(name)
  await expectNothingCut(page, name)
}

async function buyAndAskForRefund(page: Page, recording: Recording): Promise<void> {
  const { path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
  await openHydrated(page, path)
  await look(page, recording, 'Drop page')
  // The button is in the bar at the bottom, so that it is in reach without scrolling.
  const button = page.getByRole('button', { name: 'Buy – $24.00' }).filter({ visible: true }).last()
  await expect(button).toBeInViewport({ ratio: 1 })
  await button.click()
  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  await look(page, recording, 'Payment page')
  await page.getByRole('button', { name: 'Pay $24.00' }).click()
  await expect(page.getByRole('alert')).toContainText('Please fix')
  await look(page, recording, 'Payment page with problems')
  for (const [label, value] of Object.entries(cardPageAnswers(`${uniqueName('bea')}@example.com`))) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: 'Pay $24.00' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await look(page, recording, 'Success page')
  await page.getByRole('link', { name: 'View your order' }).click()
  await expect(page.getByRole('heading', { name: 'Thanks for your order' })).toBeVisible()
  await expectHydrated(page)
  await look(page, recording, 'Order page')
  await page.locator('summary', { hasText: /^Request a refund$/ }).click()
  await page.getByRole('textbox', { name: 'Your message' }).fill('It does not fit.')
  await look(page, recording, 'Order page with the open form')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Request sent.')).toBeInViewport()
  await look(page, recording, 'Order page after the request')
}

async function publish(page: Page, recording: Recording): Promise<void> {
  const seller = await signUp(testedApp())
  await openHydrated(page, '/login?redirect=/create')
  await look(page, recording, 'Sign-in page')
  await page.getByLabel('Username').fill(seller.username)
  await page.getByLabel('Password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'New drop' })).toBeVisible()
  await expectHydrated(page)
  await look(page, recording, 'Create form')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await page.getByRole('alert').first().waitFor()
  await look(page, recording, 'Create form with something missing')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add photos' }).click()
  await (await chooser).setFiles([drawing('ceramic-mug-1'), drawing('ceramic-mug-2')])
  await page.getByText('2 of 5').waitFor()
  const title = uniqueName('Mug')
  await page.getByLabel('Product Name').fill(title)
  await page.getByLabel('Description').fill('Thrown by hand, glazed twice.')
  await page.getByLabel('Price').fill('24')
  await page.getByText('48h').click()
  await look(page, recording, 'Create form, filled in')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  // While the message about the missing fields fades out, its contrast is too low.
  await expect(page.getByText('Please complete required fields')).toHaveCount(0)
  await look(page, recording, 'Success page of the seller')
  await page.getByRole('link', { name: 'Preview Drop' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await look(page, recording, "The seller's own drop page")
}

const ways = [
  { name: 'at a zoom of 400 %', use: { viewport: ZOOMED, deviceScaleFactor: 4 } },
  { name: 'on a phone held sideways', use: { viewport: SIDEWAYS, hasTouch: true } },
  {
    name: 'with forced colors',
    use: { contextOptions: { forcedColors: 'active' as const }, viewport: { width: 390, height: 844 } },
  },
]

for (const { name, use } of ways) {
  test.describe(name, () => {
    test.use(use)

    test('a buyer can buy a drop and request a refund', ({ page, recording }) => buyAndAskForRefund(page, recording))

    test('a seller can sign in and publish a drop', ({ page, recording }) => publish(page, recording))
  })
}
