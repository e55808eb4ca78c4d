// Records a purchase without JavaScript, with plain forms alone. Signing in and publishing need JavaScript, so the
// pages of sellers have to say that (docs/product.md#without-javascript).
import { expect } from '@playwright/test'
import { cardPageAnswers } from '../support/card-page'
import { createSellerAndDrop, signIn, stockOf, uniqueName } from '../support/e2e'
import { test } from '../support/recorded-run'

test.use({ javaScriptEnabled: false })

test('a buyer can buy a drop and request a refund without JavaScript', async ({ page, recording }) => {
  const { shop, drop, path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
  await page.goto(path)
  await expect(page.getByText(/^This clock needs JavaScript to count down\. The drop ends .+ UTC\.$/)).toBeVisible()
  await recording.screen('Drop page')
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
  await expect(page.getByRole('heading', { name: 'Pay $48.00' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 2 })
  await recording.screen('Payment page')
  await page.getByRole('button', { name: 'Pay $48.00' }).click()
  await expect(page.getByRole('alert')).toContainText('Please fix 7 fields')
  await expect(page.getByLabel('Email')).toBeFocused()
  await recording.screen('Payment page with seven problems')
  for (const [label, value] of Object.entries(cardPageAnswers(`${uniqueName('bea')}@example.com`))) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: 'Pay $48.00' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await recording.screen('Success page')
  await page.getByRole('link', { name: 'View your order' }).click()
  await expect(page.getByRole('heading', { name: 'Thanks for your order' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toEqual({ quantity: 3, sold: 2, held: 0 })
  await recording.screen('Order page')
  await page.locator('summary', { hasText: /^Request a refund$/ }).click()
  await page.getByLabel('Your message').filter({ visible: true }).fill('It does not fit.')
  await page.getByRole('button', { name: 'Send' }).filter({ visible: true }).click()
  await expect(page.getByText('Request sent.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Request sent.' })).toBeFocused()
  await recording.screen('Order page after the request')
  const refunds = await shop.query(
    `SELECT FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId" WHERE o."dropId" = $1`,
    [drop.id],
  )
  expect(refunds).toHaveLength(1)
})

test('sellers without JavaScript are told that signing in and publishing need it', async ({
  page,
  context,
  recording,
}) => {
  const { seller } = await createSellerAndDrop()
  const notice = page.locator('noscript p').filter({ visible: true })
  for (const path of ['/login', '/signup', '/login?mode=signup']) {
    await page.goto(path)
    await expect(notice).toContainText('Turn on JavaScript')
    await recording.screen(`Sign-in page ${path}`)
  }
  await signIn(context, seller)
  await page.goto('/create')
  await expect(notice).toContainText('Turn on JavaScript')
  await recording.screen('Create form')
})
