// Tests what the drop page says to people for whom a unit is reserved, by a claim from the waitlist or by an open checkout.
import { expect, test } from '@playwright/test'
import { createSellerAndDrop } from '../support/e2e'
import { makeClaim } from '../support/make-claim'
import { expectHydrated, openHydrated } from '../support/screen-checks'

test('the drop page leads someone from the waitlist to the reserved unit', async ({ page, browser }) => {
  const { claim, path } = await makeClaim()
  const stranger = await browser.newPage()
  await stranger.goto(path)
  await expect(stranger.getByRole('heading', { name: 'All in checkout' })).toBeVisible()
  await page.goto(claim)
  await expect(page.getByRole('timer', { name: 'Time left to buy' })).toBeVisible()
  await expectHydrated(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: "It's your turn" })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'All in checkout' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Remind me' })).toBeHidden()
  await page.getByRole('link', { name: 'Go to your unit' }).last().click()
  await expect(page).toHaveURL(new RegExp(`${claim}$`))
  await stranger.close()
})

test('a buyer who comes back from the payment page reads that the units are still reserved', async ({ page }) => {
  const { path } = await createSellerAndDrop({ quantity: '4' })
  await openHydrated(page, path)
  await expect(page.getByRole('heading', { name: 'Reserved for you' })).toBeHidden()
  await page.getByLabel('Quantity').filter({ visible: true }).selectOption('2')
  await page
    .getByRole('button', { name: /^Buy 2/ })
    .filter({ visible: true })
    .click()
  await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Reserved for you' })).toBeVisible()
  await expect(page.getByText('2 units are still reserved for you. Buy to finish checking out.')).toBeVisible()
})
