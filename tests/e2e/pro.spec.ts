import { expect } from '@playwright/test'
import { CARD, signIn, signUp, testedApp } from '../support/e2e'
import { expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test('a seller connects payouts, becomes Pro and cancels the plan on the phone', async ({ page, context }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)

  await page.goto('/payouts')
  await page.getByRole('button', { name: 'Connect payouts' }).click()
  await page.getByRole('button', { name: 'Finish: payouts are ready' }).click()
  await expect(page).toHaveURL(/\/payouts\?connected=1$/)
  await expect(page.getByText('Ready', { exact: true })).toBeVisible()

  // On a page other than the dashboard, this event leads to the dashboard, which opens the upgrade dialog and removes
  // the query from the URL.
  await expectHydrated(page)
  await page.evaluate(() => window.dispatchEvent(new Event('show-upgrade-modal')))
  await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByRole('radio', { name: /Yearly/ })).toBeChecked()
  await expect(page.getByText('Save 20%')).toBeVisible()
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click()

  await page.getByLabel('Card number').fill(CARD.pays)
  await page.getByLabel('Expiry').fill('12/34')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Pay $96.00' }).click()
  await expect(page.getByText('Welcome to Pro!', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByText('Pro Plan').first()).toBeVisible()

  await page.goto('/subscribe')
  await expect(page.getByRole('heading', { name: 'Already Subscribed' })).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/`)

  await page.getByRole('button', { name: 'Settings' }).click()
  // The second tap of a double tap must not answer the question that has just appeared.
  await page.getByRole('button', { name: 'Cancel and refund' }).dblclick()
  await expect(page.getByRole('button', { name: 'Cancel and refund' })).toBeEnabled()
  await page.getByRole('button', { name: 'Keep Pro' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).dblclick()
  await expect(page.getByText('Your plan will end', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Pro ends on/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep Pro' })).toBeEnabled()
})

test('a visitor on /subscribe is sent to a login page that leads back to /subscribe', async ({ page }) => {
  // The browser leaves this page after half a second, so the test reads the text from the HTTP response.
  const answer = await page.request.get('/subscribe')
  expect(await answer.text()).toContain(`Unauthorized</h1>`)
  await page.goto('/subscribe')
  await expect(page).toHaveURL(/\/login\?redirect=%2Fsubscribe$/)
})

test('a seller who signed in some time ago gives the password before payouts are connected', async ({
  page,
  context,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  await shop.query(`UPDATE "Session" SET "stepUpAt" = NULL WHERE "userId" = $1`, [seller.id])
  await page.goto('/payouts')
  const connect = page.getByRole('button', { name: 'Connect payouts' })
  await connect.click()
  const password = page.getByLabel('Your password', { exact: true })
  await password.fill('a guess')
  await connect.click()
  await expect(page.getByText("That password isn't right.")).toBeVisible()
  await expect(password).toBeFocused()
  await password.fill(seller.password)
  await connect.click()
  await expect(page.getByRole('button', { name: 'Finish: payouts are ready' })).toBeVisible()
})
