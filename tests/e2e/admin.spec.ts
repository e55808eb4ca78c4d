// Tests the administrator's screens on a desktop. Other tests check the rules behind the screens without a browser.
import { expect, type Page } from '@playwright/test'
import { buy, mailTo, createSellerAndDrop, signIn, signUp, testedApp } from '../support/e2e'
import { test } from '../support/test'

async function asAdmin(page: Page): Promise<void> {
  const url = `${testedApp().url}/api/auth/login`
  const answer = await page.request.post(url, { data: { email: 'admin', password: 'lastcall-demo' } })
  expect(answer.status()).toBe(200)
}

const toast = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

test('an administrator finds a user, changes the plan, suspends and deletes the account, and the audit log has each step', async ({
  page,
}) => {
  const seller = await signUp(testedApp())
  await asAdmin(page)
  await page.goto('/')
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
  await expect(page.getByText('Administrator')).toBeVisible()
  await page.getByRole('tab', { name: 'Users' }).click()
  await page.getByPlaceholder('Search users...').fill(seller.username.toUpperCase())
  const row = page.getByRole('button', { name: new RegExp(`@${seller.username}`) })
  await row.click()
  const dialog = page.getByRole('dialog', { name: 'Manage User' })
  await expect(dialog.getByText(seller.email)).toBeVisible()
  await dialog.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await expect(toast(page, 'User updated successfully').first()).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(row.getByText('Pro Plan')).toBeVisible()

  await row.click()
  await dialog.getByText('Suspend account').click()
  await dialog.getByLabel('Reason').fill('Counterfeit goods')
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(row.getByText('Suspended')).toBeVisible()

  await row.click()
  await dialog.getByRole('button', { name: 'Delete User Account' }).click()
  await dialog.getByRole('button', { name: `Delete @${seller.username}` }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toBeHidden()

  await page.goto(`/admin/audit?target=${seller.id}`)
  for (const act of ['Changed a plan', 'Suspended an account', 'Deleted an account']) {
    await expect(page.getByText(act)).toBeVisible()
  }
})

test('an administrator records what a seller paid back, and the seller then owes the rest', async ({ page }) => {
  const { shop, seller, drop } = await createSellerAndDrop()
  await buy(shop, drop.id)
  await shop.query('UPDATE "Transfer" SET "feeOwedCents" = "amountCents" + 1200 WHERE "sellerId" = $1', [seller.id])
  await asAdmin(page)
  await page.goto('/admin/orders?show=owed')
  await page.getByRole('link', { name: 'seller owes $12.00' }).first().click()
  // A dialog hides what is on the page before it opens, except for the list of toasts. A key press loads the list.
  await expect(async () => {
    await page.keyboard.press('Shift')
    await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached({ timeout: 500 })
  }).toPass()
  await page.getByRole('button', { name: new RegExp(`@${seller.username}`) }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage User' })
  await expect(dialog.getByText(/^This seller owes \$12\.00/)).toBeVisible()
  await dialog.getByText('Record a repayment').click()
  const record = dialog.getByRole('button', { name: 'Record repayment' })
  await record.click()
  await expect(dialog.getByText(/^Enter the reference of the payment/)).toBeVisible()
  await dialog.getByLabel('Payment reference').fill('SEPA 7')
  await dialog.getByLabel('Amount in USD').fill('12.01')
  await record.click()
  await expect(dialog.getByText(/^This is more than the seller owes/)).toBeVisible()
  await dialog.getByLabel('Amount in USD').fill('9,50')
  // The toast disappears after a few seconds, which a click on a busy machine can outlast.
  await Promise.all([expect(toast(page, 'Repayment recorded').first()).toBeVisible(), record.click()])
  await expect(dialog.getByText(/^This seller owes \$2\.50/)).toBeVisible()
})

test('an administrator extends a drop, deletes it from the list and restores it', async ({ page, drop, path }) => {
  await asAdmin(page)
  await page.goto('/admin?tab=drops')
  await page.getByPlaceholder('Search drops...').fill(drop.title)
  await page.getByRole('button', { name: `Manage ${drop.title}` }).click()
  await page.getByRole('spinbutton', { name: 'Hours' }).fill('5')
  await page.getByRole('button', { name: 'Extend by 5 hours' }).click()
  await expect(toast(page, 'Drop updated successfully').first()).toBeVisible()
  const answer = await page.request.get(`/api${path}`)
  const { endTime } = (await answer.json()) as { endTime: string }
  expect(Date.parse(endTime) - Date.parse(drop.endTime)).toBe(5 * 3_600_000)

  await page.getByRole('button', { name: `Delete ${drop.title}` }).click()
  await page.getByRole('button', { name: 'Delete drop' }).click()
  await expect(page.getByText('No drops found.')).toBeVisible()
  await expect(page).toHaveURL(/\/admin/)
  expect((await page.request.get(`/api${path}`)).status()).toBe(404)

  await page.getByLabel('Show').selectOption('removed')
  await page.getByRole('button', { name: `Manage ${drop.title}` }).click()
  await expect(page.getByText('If it was deleted more than 30 days ago, its waitlist is gone')).toBeVisible()
  await page.getByRole('button', { name: 'Restore with its time left' }).click()
  await expect.poll(async () => (await page.request.get(`/api${path}`)).status()).toBe(200)
})

test('the kill switch requires a typed word, and a seller cannot open the admin panel', async ({ page, browser }) => {
  await asAdmin(page)
  await page.goto('/admin?tab=settings')
  await expect(page.getByText('Platform Active')).toBeVisible()
  await page.getByRole('button', { name: 'Disable Platform' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Disable Platform' })
  await dialog.getByLabel('Type DISABLE to confirm').fill('disabl')
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel('Type DISABLE to confirm').fill('disable')
  await expect(confirm).toBeEnabled()
  // The switch is not used here, because it would stop every other test of this run.
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const context = await browser.newContext()
  await signIn(context, await signUp(testedApp()))
  const other = await context.newPage()
  await other.goto(`${testedApp().url}/admin`)
  await expect(other.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(other.getByText("You don't have permission to access the admin panel.")).toBeVisible()
  await context.close()
})

test('the page of a user who does not exist returns 404', async ({ page }) => {
  await asAdmin(page)
  for (const id of ['999999999', '0', 'constructor']) {
    expect((await page.goto(`/admin/users/${id}`))!.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  }
})

test('a visitor without JavaScript reports a drop, and an administrator removes the drop in the review queue', async ({
  page,
  browser,
}) => {
  const { drop, path } = await createSellerAndDrop()
  const context = await browser.newContext({ javaScriptEnabled: false })
  const stranger = await context.newPage()
  await stranger.goto(`${testedApp().url}${path}`)
  await stranger.getByRole('link', { name: 'Report this drop' }).click()
  await stranger.getByLabel("What's wrong?").selectOption('other')
  await stranger.getByLabel('Tell us more').fill('This is a copy of mine.')
  await stranger.getByRole('button', { name: 'Send report' }).click()
  await expect(stranger.getByText("We'll review this drop.")).toBeVisible()
  await context.close()

  await asAdmin(page)
  await page.goto('/admin/reviews')
  const card = page.locator('div', { has: page.getByRole('link', { name: drop.title }) }).filter({
    has: page.getByRole('button', { name: 'Reject' }),
  })
  await card.last().getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('button', { name: 'Remove the drop' }).click()
  await expect(page.getByText('Please choose which part of the policy the drop breaks.')).toBeVisible()
  await page.getByLabel('Category').selectOption('weapons')
  await expect(page.getByText('The seller is suspended permanently.')).toBeVisible()
  await page.getByLabel('Category').selectOption('counterfeit')
  await expect(page.getByText('The seller gets a warning.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the drop' }).click()
  await expect(page.getByRole('link', { name: drop.title })).toBeHidden()
  expect((await page.request.get(`/api${path}`)).status()).toBe(404)
})

test('a visitor without JavaScript reports a profile, and an administrator removes its text with a reason', async ({
  page,
  browser,
}) => {
  const seller = await signUp(testedApp())
  await testedApp().query(
    'INSERT INTO "PublicProfile" ("userId", "about", "links", "updatedAt") VALUES ($1, $2, $3, now())',
    [seller.id, 'Ask me about everything.', ['https://juno.example/']],
  )
  const context = await browser.newContext({ javaScriptEnabled: false })
  const stranger = await context.newPage()
  await stranger.goto(`${testedApp().url}/profile/${seller.username}`)
  await stranger.getByRole('link', { name: 'Report this profile' }).click()
  await expect(stranger.getByRole('heading', { name: 'Report this profile' })).toBeVisible()
  await stranger.getByLabel("What's wrong?").selectOption('hate')
  await stranger.getByLabel('Tell us more').fill('The line insults people.')
  await stranger.getByRole('button', { name: 'Send report' }).click()
  await expect(stranger.getByText("We'll review this profile.")).toBeVisible()
  await context.close()

  await asAdmin(page)
  await page.goto('/admin/reviews')
  const card = page.getByRole('article', { name: `@${seller.username}` })
  await expect(card.getByText('The line insults people.')).toBeVisible()
  await expect(card).toBeVisible()
  await expect(card.getByText('Ask me about everything.')).toBeVisible()
  await card.getByText('Remove the text and links').click()
  await card.getByRole('button', { name: 'Remove and email the seller' }).click()
  await expect(card.getByText('Please tell the seller why.', { exact: true })).toBeVisible()
  await card.getByLabel('Reason').fill('The line insults people. Please write another one.')
  await card.getByRole('button', { name: 'Remove and email the seller' }).click()
  await expect(toast(page, 'Profile text removed')).toBeVisible()
  await expect(card).toHaveCount(0)
  expect((await mailTo(testedApp(), seller.email)).map((mail) => mail.subject)).toContain(
    'We removed the text on your profile',
  )
  await page.goto(`/admin/users/${seller.id}`)
  await expect(page.getByText('No text and no links.', { exact: true })).toBeVisible()
})
