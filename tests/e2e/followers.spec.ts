// Tests following a seller: the form, the confirmation, the email about a new drop, and unsubscribing.
import { expect, type Page } from '@playwright/test'
import {
  buy,
  createDrop,
  moveEnd,
  freshAddress,
  mailTo,
  createSellerAndDrop,
  type Seller,
  shippedAndAsked,
  signIn,
  signUp,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { test } from '../support/test'

// Requests are limited per network and hour, so each test has its own network.
test.beforeEach(({ page }) => page.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

const followersOf = (seller: Seller) =>
  testedApp().query<{ email: string; page: string; isConfirmed: boolean }>(
    'SELECT "email", "page", "confirmedAt" IS NOT NULL AS "isConfirmed" FROM "Follower" WHERE "sellerId" = $1',
    [seller.id],
  )

async function askOn(page: Page): Promise<string> {
  const email = `${uniqueName('fan')}@example.com`
  await page.getByLabel('Your email').fill(email)
  await page.getByRole('button', { name: 'Email me' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  return email
}

async function linkTo(email: string, step: string): Promise<string> {
  const [mail] = await mailTo(testedApp(), email)
  return new RegExp(`https?:\\S+/follow/${step}\\S+`).exec(mail!.text)![0]
}

/**
 * Follows a seller from the profile, gets the email about the seller's new drop, and unsubscribes twice: as a mail
 * program does, and on the page of the link.
 */
async function followAndUnsubscribe(page: Page): Promise<void> {
  const shop = testedApp()
  const seller = await signUp(shop)
  await page.goto(`/profile/${seller.username}`)
  const email = await askOn(page)
  // Opening the link, as a program that scans emails does, confirms nothing.
  const link = await linkTo(email, 'confirm')
  expect((await fetch(link)).status).toBe(200)
  expect(await followersOf(seller)).toEqual([{ email, page: `/profile/${seller.username}`, isConfirmed: false }])
  await page.goto(link)
  await expect(page.getByText(`@${seller.username} can see my address.`)).toBeVisible()
  await page.getByRole('button', { name: 'Yes, email me' }).click()
  await expect(page.getByRole('heading', { name: "You're on the list" })).toBeVisible()
  await createDrop(shop, seller)
  const subjects = async () => (await mailTo(shop, email)).map(({ subject }) => subject)
  await expect.poll(subjects).toContainEqual(expect.stringContaining(`@${seller.username}'s drop has started`))
  // The unsubscribe button of a mail program posts to this URL.
  const stop = new URL(await linkTo(email, 'stop'))
  expect((await fetch(`${shop.url}/api/follow/leave${stop.search}`, { method: 'POST' })).status).toBe(200)
  expect(await followersOf(seller)).toEqual([])
  // The page of the link in the email still works.
  await page.goto(stop.href)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: "You're unsubscribed" })).toBeVisible()
}

test('a visitor follows a seller, gets an email about the next drop and unsubscribes', async ({ page }) =>
  followAndUnsubscribe(page))

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('a visitor follows a seller, gets an email about the next drop and unsubscribes', async ({ page }) =>
    followAndUnsubscribe(page))

  test('the page of an ended drop has the form', async ({ page, shop, seller, drop, path }) => {
    await moveEnd(shop, drop.id, -60)
    await page.goto(path)
    await page.getByText(`Hear about @${seller.username}'s next drop`).click()
    const email = await askOn(page)
    expect(await followersOf(seller)).toEqual([{ email, page: path, isConfirmed: false }])
  })
})

test('the pages of a sold-out drop and of an order have the form, and the page of a live drop has none', async ({
  page,
}) => {
  const { shop, seller, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(path)
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(page.getByText('Hear about @')).toHaveCount(0)
  await buy(shop, drop.id)
  // The open page shows the form by itself as soon as the last unit is sold.
  await page.getByText(`Hear about @${seller.username}'s next drop`).click()
  await askOn(page)
  const order = await shippedAndAsked()
  await page.goto(`/o/${order.token}`)
  await askOn(page)
})

test('an invalid email address is refused with a page that links back to the form', async ({ page }) => {
  const seller = await signUp(testedApp())
  await page.goto(`/profile/${seller.username}`)
  // The browser accepts this address, and the server does not.
  await page.getByLabel('Your email').fill('bea@example')
  await page.getByRole('button', { name: 'Email me' }).click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByLabel('Your email')).toBeVisible()
})

test('the dashboard counts the followers and has their list, which nobody else can download', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(page.context(), seller)
  await page.goto('/')
  await expect(page.getByText('Nobody follows you yet.')).toBeVisible()
  await shop.query(
    `INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
     VALUES ($1, 'fan@example.com', 'fan@example.com', $2, now(), '/', 'Yes')`,
    [seller.id, uniqueName('token')],
  )
  await page.reload()
  await expect(page.getByText('1 person wants to hear about your next drop')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the list' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^lastcall-followers-.*\.csv$/)
  const other = await signUp(shop)
  const theirs = await fetch(`${shop.url}/followers/export.csv`, { headers: { cookie: other.cookie } })
  expect(await theirs.text()).not.toContain('fan@example.com')
  expect((await fetch(`${shop.url}/followers/export.csv`, { redirect: 'manual' })).status).toBe(401)
})
