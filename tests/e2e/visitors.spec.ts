// Tests what visitors use besides buying: the landing page, the policies, profiles, missing pages, the help chat and
// the offline page.
import { expect, type Locator, type Page } from '@playwright/test'
import { moveEnd, createSellerAndDrop, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { test } from '../support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('the landing page explains Lastcall, shows live drops and links to the sign-up form', async ({
  page,
  shop,
  drop,
}) => {
  const pin = `UPDATE "Drop" SET "isPinned" = true, "isFeatured" = true, "endTime" = now() + interval '5 minutes'
                WHERE "id" = $1`
  await shop.query(pin, [drop.id])
  await expect(async () => {
    await page.goto('/')
    // Pinned drops come first, then featured ones, then the ones that end soonest.
    await expect(page.locator('main a[href^="/drop/"]').first()).toHaveAttribute('href', `/drop/${drop.identifier}`, {
      timeout: 1_000,
    })
  }).toPass()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('followers into buyers')
  for (const text of ['60s setup', '3x sales', 'Free start']) await expect(page.getByText(text)).toBeVisible()
  for (const name of ['Upload', 'Share', 'Profit', 'Physical Products', 'Digital Goods', 'Services', 'Limited Drops']) {
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  await expect(page.getByText('Example, not a customer')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Live now' }).getByRole('link').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute('href', '/login?mode=signup')
  await expect(page.getByRole('link', { name: 'Build Your First Drop Now' })).toHaveAttribute(
    'href',
    '/login?mode=signup',
  )
  const legal = page.getByRole('navigation', { name: 'Orders, help and legal' }).getByRole('link')
  const hrefs = await legal.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(hrefs).toEqual([
    '/find-order',
    '/find-order#help',
    '/terms-of-service',
    '/privacy-policy',
    '/prohibited-content',
  ])
  await shop.query(`UPDATE "Drop" SET "isPinned" = false WHERE "id" = $1`, [drop.id])
})

for (const [path, title] of [
  ['/privacy-policy', 'Privacy Policy'],
  ['/terms-of-service', 'Terms of Service'],
  ['/prohibited-content', 'Prohibited Content Policy'],
] as const) {
  test(`${title} has a date, a table of contents and a link back`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveTitle(new RegExp(title))
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('July 29, 2025')).toBeVisible()
    const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    for (const link of await contents.all()) {
      await expect(page.locator(`h2${await link.getAttribute('href')}`)).toHaveText((await link.textContent()) ?? '')
    }
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL(`${testedApp().url}/`)
  })
}

test('a missing page shows a message, a Back button and a link to the landing page', async ({ page }) => {
  await page.goto('/login')
  const response = await page.goto('/nowhere/at/all')
  expect(response?.status()).toBe(404)
  await expect(page).toHaveTitle(/^Page Not Found/)
  await expect(page.getByText('This page does not exist or has moved.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a profile shows its drops, marks expired ones, and redirects other spellings and former usernames to its canonical URL', async ({
  page,
}) => {
  const { shop, seller, drop, path } = await createSellerAndDrop()
  await page.goto(`/profile/${seller.username.toUpperCase()}`)
  await expect(page).toHaveURL(`${shop.url}/profile/${seller.username}`)
  await expect(page.getByRole('heading', { name: `@${seller.username}`, exact: true })).toBeVisible()
  await expect(page.getByText('Free Plan')).toBeVisible()
  const card = page.getByRole('link', { name: drop.title })
  await expect(card).toHaveAttribute('href', path)
  await expect(card).toContainText(/\$24\.00.*23h 59m left.*0 views/)
  await expect(card).toContainText('Physical')
  await moveEnd(shop, drop.id, -1)
  await expect(async () => {
    await page.reload()
    // The drop is shown as expired until the archive job has run, and then disappears.
    await expect(page.getByText('Expired').or(page.getByText('No active drops'))).toBeVisible({ timeout: 1_000 })
  }).toPass()

  const former = uniqueName('former')
  await shop.query(
    `INSERT INTO "ReservedUsername" VALUES ($1, $2, now() + interval '30 days', now() + interval '90 days')`,
    [former, seller.id],
  )
  const moved = await fetch(`${shop.url}/profile/${former}`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([307, `/profile/${seller.username}`])
  const missing = await page.goto(`/profile/${uniqueName('nobody')}`)
  expect(missing?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Profile Not Found' })).toBeVisible()
  await expect(page.getByText("This profile doesn't exist or isn't available for sharing.")).toBeVisible()
})

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('the element is not visible')
  return box
}

async function expectApart(first: Locator, second: Locator): Promise<void> {
  const [a, b] = [await boxOf(first), await boxOf(second)]
  const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
  expect(isApart, JSON.stringify([a, b])).toBe(true)
}

const openHelp = (page: Page) => page.getByRole('button', { name: 'Open help chat' })

test('the help chat answers without calling the server, and closing the chat restores the focus', async ({
  page,
  path,
}) => {
  await page.clock.install()
  await page.goto(path)
  const buy = page.getByRole('button', { name: /^Buy/ }).last()
  await expectApart(openHelp(page), buy)
  await openHelp(page).click()
  const dialog = page.getByRole('dialog', { name: 'AI Assistant' })
  const input = dialog.getByPlaceholder('Ask me anything...')
  await expect(input).toBeFocused()
  await expectApart(dialog, buy)

  const calls: string[] = []
  page.on('request', (request) => {
    // The page's own scripts, its polling and its wallets do not belong to the chat.
    if (!/\/(_next\/static|api\/drop|api\/checkout\/wallet)\//.test(request.url())) calls.push(request.url())
  })
  const messages = dialog.getByRole('log').locator('> :not([role])')
  await input.press('Enter')
  await input.fill('   ')
  await input.press('Enter')
  await expect(messages).toHaveCount(1)
  await input.fill('What are')
  await input.press('Shift+Enter')
  await input.pressSequentially('your fees?')
  await expect(messages).toHaveCount(1)
  await expect(input).toHaveValue('What are\nyour fees?')
  // The clock is paused so that the test tries to send the second message before the reply arrives.
  await page.clock.pauseAt(new Date(Date.now() + 1_000))
  await input.press('Enter')
  await expect(dialog.getByRole('status', { name: 'AI Assistant is typing' })).toBeVisible()
  // A message cannot be sent while a reply is loading. Its text stays in the field.
  await input.fill('And the link?')
  await input.press('Enter')
  await expect(messages).toHaveCount(2)
  await page.clock.resume()
  await expect(messages.last()).toContainText('5% on the free plan and 3% on Pro')
  // The reply is longer than the panel, and people read it from its beginning.
  await expect(messages.nth(1)).toBeInViewport()
  await expect(input).toHaveValue('And the link?')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(messages.last()).toContainText('Every drop has one link')
  await input.fill('I want my money back')
  await input.press('Enter')
  await expect(messages.last()).toContainText('Tap Request a refund on your order page')
  await expect(messages.last().getByRole('link', { name: '/find-order' })).toHaveAttribute('href', '/find-order')
  expect(calls).toEqual([])

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(openHelp(page)).toBeFocused()
  await openHelp(page).press('Enter')
  await expect(messages).toHaveCount(7)
})

test('the help button does not cover the Create Drop button', async ({ page }) => {
  await signIn(page.context(), await signUp(testedApp()))
  await page.goto('/create')
  await expectApart(openHelp(page), page.getByRole('button', { name: 'Create Drop' }))
})

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the open page shows a message, and the next page is the offline page until the network is back', async ({
    page,
    context,
  }) => {
    await page.goto('/terms-of-service')
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready
      if (active?.state === 'activated') return
      await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }))
    })
    await context.setOffline(true)
    await expect(page.getByText("You're offline. This page may be out of date.")).toBeVisible()
    await page.goto('/drop/low-sun')
    await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
    await context.setOffline(false)
    // The offline page reloads without a tap.
    await expect(page.getByRole('heading', { name: 'Low Sun' })).toBeVisible()
  })
})
