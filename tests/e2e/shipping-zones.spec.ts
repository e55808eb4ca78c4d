// Tests shipping zones: a seller chooses countries and surcharges, and a buyer chooses the country and pays the amount
// on the button, with and without JavaScript.
import { expect, type Page } from '@playwright/test'
import { fillCreateForm, openFold, publishDrop } from '../support/fill-create-form'
import { createSellerAndDrop, freshAddress, pay, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { expectGoodScreen, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const zones = JSON.stringify([
  { surcharge: '0', countries: ['US'] },
  { surcharge: '6.00', countries: ['DE', 'FR'] },
])
const buyButton = (page: Page, label: string) =>
  page.getByRole('button', { name: label, exact: true }).filter({ visible: true })

test.beforeEach(({ page }) => page.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

test('a seller adds two zones on a phone, and the drop page says what shipping costs', async ({ page, context }) => {
  await signIn(context, await signUp(testedApp()))
  const title = uniqueName('Print')
  await openHydrated(page, '/create')
  await fillCreateForm(page, title, '24')
  await openFold(page, 'No shipping promise')
  await page.getByLabel('Ships from').selectOption('Germany')
  await page.getByText('Where you ship: everywhere, included in the price').click()
  await page.getByRole('button', { name: 'Choose countries' }).click()
  const [first, second] = [page.getByRole('group', { name: 'Zone 1' }), page.getByRole('group', { name: 'Zone 2' })]
  await first.getByRole('button', { name: '+ Germany' }).click()
  await first.getByLabel('Surcharge per order').fill('4,50')
  await page.getByRole('button', { name: 'Add a zone' }).click()
  await second.getByLabel('Add a country').fill('jap')
  await second.getByLabel('Add a country').press('Enter')
  await second.getByRole('button', { name: '+ European Union' }).click()
  await second.getByRole('button', { name: 'Remove Poland' }).click()
  await second.getByLabel('Surcharge per order').fill('much')
  await expect(page.getByText('Where you ship: 15 countries in 2 zones')).toBeVisible()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText('Enter a surcharge from $0 to $999,999.99, like 6.00.').first()).toBeVisible()
  await expectGoodScreen(page, 'create-zones')
  await second.getByLabel('Surcharge per order').fill('15')
  const link = await publishDrop(page)
  await page.goto(link)
  await expect(page.getByText(/^Ships to Germany for \$4\.50\. Ships to Japan, Ireland,/)).toBeVisible()
})

test('a buyer has to choose the country, and pays the amount on the button', async ({ page }) => {
  const { path } = await createSellerAndDrop({ shippingZones: zones })
  await openHydrated(page, path)
  await buyButton(page, 'Buy – $24.00 + shipping').click()
  await expect(page.getByText('Please choose the country your order ships to.')).toBeVisible()
  await expect(page.getByLabel('Ship to')).toBeFocused()
  await page.getByLabel('Ship to').selectOption('Germany, +$6.00')
  await expect(page.getByText('Shipping to Germany $6.00, once per order.')).toBeVisible()
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  await expectGoodScreen(page, 'drop-with-zones')
  await buyButton(page, 'Buy 2 – $54.00').click()
  await expect(page.getByRole('heading', { name: 'Pay $54.00' })).toBeVisible()
  await expect(page.getByText('Shipping to Germany')).toBeVisible()
  await expect(page.getByLabel('Country').getByRole('option')).toHaveText(['Germany'])
  const { sessionId } = await pay(page.url(), `${uniqueName('bea')}@example.com`)
  await page.goto(`/success-payment?session_id=${sessionId}`)
  await expect(page.getByText('You paid $54.00')).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the country is a field of the form, and the amount is the same', async ({ page }) => {
    const { path } = await createSellerAndDrop({ shippingZones: zones })
    await page.goto(path)
    await page.getByLabel('Ship to').selectOption('FR')
    await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
    await expect(page.getByRole('heading', { name: 'Pay $30.00' })).toBeVisible()
    await expect(page.getByText('Shipping to France')).toBeVisible()
  })
})

test('the payment page asks for a missing country and charges for the chosen one', async ({ page }) => {
  const { drop } = await createSellerAndDrop({ shippingZones: zones })
  await page.goto(`/checkout/${drop.id}?country=JP`)
  await expect(page.getByText("This drop doesn't ship to Japan.")).toBeVisible()
  await page.getByLabel('Ship to').selectOption('DE')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('button', { name: 'Pay $30.00' })).toBeVisible()
  await expect(page.getByLabel('Country').getByRole('option')).toHaveText(['Germany'])
})
