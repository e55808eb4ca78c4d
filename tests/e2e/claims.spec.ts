// Tests what the drop page says to people for whom a unit is reserved, by a claim from the waitlist or by an open
// checkout.
import { expect, type Page } from '@playwright/test'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'
import { createSellerAndDrop, moveEnd } from '../support/e2e'
import { makeClaim } from '../support/make-claim'
import { expectHydrated, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

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
  await expect(page.getByText(/^You have [89] more minutes to buy\.$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Remind me' })).toBeHidden()
  // A second tab of the same browser says the same.
  const secondTab = await page.context().newPage()
  await secondTab.goto(path)
  await expect(secondTab.getByRole('heading', { name: "It's your turn" })).toBeVisible()
  await expect(secondTab.getByText(/^You have [89] more minutes to buy\.$/)).toBeVisible()
  await secondTab.goto('/terms-of-service')
  await expect(secondTab.getByRole('link', { name: /^Reserved for you: [89] min left$/ })).toBeVisible()
  await secondTab.close()
  await page.getByRole('link', { name: 'Buy yours now' }).last().click()
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
  await expect(page.getByText('2 units are still reserved for you. Tap Buy to finish checking out.')).toBeVisible()
  const context = page.context()
  const timeLeft = (tab: Page) => tab.getByRole('timer', { name: 'Time left to buy' })
  await expect(timeLeft(page)).toHaveText(/^You have up to (29|30) more minutes to buy\.$/)

  // A second tab of the same browser says the same. In the last minute it counts the seconds.
  const secondTab = await context.newPage()
  await secondTab.goto(path)
  await expect(secondTab.getByText('2 units are still reserved for you.')).toBeVisible()
  await expect(timeLeft(secondTab)).toHaveText(/^You have up to (29|30) more minutes to buy\.$/)
  const hint = (await context.cookies()).find(({ name }) => name === CHECKOUT_HINT)!
  const [dropId] = hint.value.split('.')

  // Every other page of the same buyer shows the time, too, and leads back to the drop.
  const helpPage = await context.newPage()
  await helpPage.goto('/find-order')
  const reserved = helpPage.getByRole('link', { name: /^Reserved for you: up to (29|30) min left$/ })
  await expect(reserved).toBeVisible()
  await reserved.click()
  await expect(helpPage.getByText('2 units are still reserved for you.')).toBeVisible()
  await expect(reserved).toHaveCount(0)
  await helpPage.close()
  await context.addCookies([{ ...hint, value: `${dropId}.${Math.floor(Date.now() / 1000) + 50}` }])
  await secondTab.reload()
  await expect(timeLeft(secondTab)).toHaveText(/^You have up to [1-4]\d more seconds to buy\.$/)

  // A cookie of an older version of the server has no time.
  await context.addCookies([{ ...hint, value: dropId! }])
  await secondTab.reload()
  await expect(secondTab.getByText('2 units are still reserved for you.')).toBeVisible()
  await expect(timeLeft(secondTab)).toHaveCount(0)
})

test('a buyer who comes back after the end can still pay for the units that are reserved', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop()
  await openHydrated(page, path)
  await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
  await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
  const paymentPage = page.url()
  await moveEnd(shop, drop.id, -1)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Still reserved for you' })).toBeVisible()
  await expect(page.getByText(/^You have up to (29|30) more minutes to buy\.$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Drop Expired' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Continue to checkout' }).filter({ visible: true }).first().click()
  await expect(page).toHaveURL(paymentPage)

  const hint = (await page.context().cookies()).find(({ name }) => name === CHECKOUT_HINT)!
  const seconds = Math.floor(Date.now() / 1000) + 8
  await page.context().addCookies([{ ...hint, value: `${drop.id}.${seconds}` }])
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Still reserved for you' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Drop Expired' })).toBeVisible({ timeout: 20_000 })
})

test('a claim outlives its drop, and its page says when its time is up', async ({ page }) => {
  const { shop, drop, claim, path } = await makeClaim()
  await page.goto(claim)
  await expect(page.getByRole('timer', { name: 'Time left to buy' })).toBeVisible()
  await expect(page.getByText(/^Reserved until \d+:\d\d [AP]M/)).toBeVisible()

  // On a wide screen, no second button says that nobody can buy.
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(path)
  await expect(page.getByRole('link', { name: 'Buy yours now' }).filter({ visible: true })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'All in checkout' }).filter({ visible: true })).toHaveCount(0)
  await page.setViewportSize({ width, height })

  await moveEnd(shop, drop.id, -1)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: "It's your turn" })).toBeVisible()
  await shop.query(
    `UPDATE "Hold" SET "expiresAt" = now() + interval '6 seconds' WHERE "dropId" = $1 AND "state" = 'held'`,
    [drop.id],
  )
  await page.goto(claim)
  await expect(page.getByRole('heading', { name: "It's your turn" })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your reservation has ended' })).toBeVisible({ timeout: 20_000 })
})
