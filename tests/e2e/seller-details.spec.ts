// Tests seller details: a seller says who they are, buyers see it before they pay and on their order, and the seller
// downloads the tax report. The screens work on phones, and what buyers read works without JavaScript.
import { expect, type Page } from '@playwright/test'
import { buy, createSellerAndDrop, freshAddress, signIn, testedApp } from '../support/e2e'
import { expectGoodScreen, expectHydrated, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test.beforeEach(({ page }) => page.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

const save = (page: Page) => page.getByRole('button', { name: 'Save seller details' }).click()

const insertDetails = (sellerId: number, kind: 'private' | 'business') =>
  testedApp().query(
    `INSERT INTO "SellerDetails" ("userId", "kind", "country", "legalName", "address", "email", "register", "isCertified")
     VALUES ($1, $2::"SellerKind", 'DE', 'Juno Prints GmbH', E'Lange Straße 1\\n10115 Berlin', 'hello@juno.example', 'HRB 12345', true)`,
    [sellerId, kind],
  )

test('a business states its details on a phone, and its drop shows them before buyers pay', async ({
  page,
  context,
}) => {
  const { seller, path } = await createSellerAndDrop()
  await page.goto(path)
  await expect(page.getByText('Sold by', { exact: false })).toHaveCount(0)
  await signIn(context, seller)
  await openHydrated(page, '/account')
  await page.getByRole('link', { name: 'Open seller details' }).click()
  await expect(page.getByRole('heading', { name: 'Seller details' })).toBeVisible()
  await expectHydrated(page)
  await save(page)
  await expect(page.getByText('Choose how you sell.')).toBeVisible()
  await page.getByText('As a business', { exact: true }).click()
  await page.getByLabel('Country', { exact: true }).selectOption('Germany')
  await save(page)
  await expect(page.getByText('Enter the legal name of your business.')).toBeVisible()
  await expect(page.getByText('Enter the postal address of your business.')).toBeVisible()
  await page.getByLabel('Legal name').fill('Juno Prints GmbH')
  await page.getByLabel('Address', { exact: true }).fill('Lange Straße 1\n10115 Berlin')
  await page.getByLabel('Trade register and number').fill('Amtsgericht Berlin, HRB 12345')
  await expect(page.getByLabel('Contact email')).toHaveValue(seller.email)
  await save(page)
  await expect(page.getByText('Please confirm this.')).toBeVisible()
  await page.getByLabel('I only offer goods and services that comply with the law.').check()
  await save(page)
  await expect(page.getByText('Seller details saved').first()).toBeVisible()
  await expectGoodScreen(page, 'seller-details')
  await page.reload()
  await expect(page.getByLabel('Legal name')).toHaveValue('Juno Prints GmbH')
  await page.goto(path)
  await page.getByText('Sold by Juno Prints GmbH').click()
  await expect(page.getByText('10115 Berlin')).toBeVisible()
  await expect(page.getByText('Amtsgericht Berlin, HRB 12345')).toBeVisible()
  await expectGoodScreen(page, 'drop-of-a-business')
})

test('without JavaScript, the drop, the order and the receipt show buyers who the seller is', async ({
  browser,
  shop,
  seller,
  drop,
  path,
}) => {
  await insertDetails(seller.id, 'business')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(path)
  await expect(page.getByText('10115 Berlin')).toBeHidden()
  await page.getByText('Sold by Juno Prints GmbH').click()
  await expect(page.getByText('10115 Berlin')).toBeVisible()
  await buy(shop, drop.id)
  // What the seller states later does not change what this buyer saw.
  await insertDetails(seller.id, 'private')
  const [order] = await shop.query<{ token: string }>('SELECT "token" FROM "Order" WHERE "dropId" = $1', [drop.id])
  await page.goto(`/o/${order!.token}`)
  await page.getByText('Sold by Juno Prints GmbH').click()
  await expect(page.getByText('HRB 12345')).toBeVisible()
  await page.goto(`/o/${order!.token}/receipt`)
  await expect(page.getByText('Juno Prints GmbH')).toBeVisible()
  await expect(page.getByText('Lange Straße 1')).toBeVisible()
  await page.goto(path)
  await expect(page.getByText(`@${seller.username} sells as a private person.`, { exact: false })).toBeVisible()
  await context.close()
})

test('a seller enters VAT rates and downloads the tax report', async ({ page, context, shop, seller, drop }) => {
  await buy(shop, drop.id)
  await shop.query(`UPDATE "Order" SET "shipCountry" = 'DE' WHERE "dropId" = $1`, [drop.id])
  await signIn(context, seller)
  await openHydrated(page, '/account/seller')
  const rates = page.getByLabel('Your VAT rates')
  await rates.fill('DE nineteen')
  await page.getByRole('button', { name: 'Save VAT rates' }).click()
  await expect(page.getByText('Write each line like “DE 19”', { exact: false })).toBeVisible()
  await rates.fill('DE 19\nDE 20 from 2099-01-01\nFR 5,5')
  await page.getByRole('button', { name: 'Save VAT rates' }).click()
  await expect(page.getByText('VAT rates saved').first()).toBeVisible()
  await page.reload()
  await expect(rates).toHaveValue('DE 19\nDE 20 from 2099-01-01\nFR 5.5')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download tax report (CSV)' }).click()
  expect((await download).suggestedFilename()).toMatch(/^lastcall-taxes-20\d\d-Q[1-4]\.csv$/)
  const month = new Date().toISOString().slice(0, 7)
  const csv = await (await page.request.get(`/payouts/taxes.csv?period=${month}`)).text()
  expect(csv).toMatch(/^country,rate_percent,orders,.*\r\nDE,19,1,\d+,0,0,\d+,\d+\r\n$/)
  expect((await page.request.get('/payouts/taxes.csv?period=2026-13')).status()).toBe(400)
})

test('the payment page names a private seller', async ({ page, seller, drop }) => {
  await insertDetails(seller.id, 'private')
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByText('The rights that consumer law gives you', { exact: false })).toBeVisible()
})
