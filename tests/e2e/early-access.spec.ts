// Tests early access: a follower's personal link buys before the public start, with and without JavaScript, and
// everyone else gets a page that shared caches may keep.
import { createHash, randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { fillCreateForm, openFold } from '../support/fill-create-form'
import { createSellerAndDrop, type Shop, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { mailedLink } from '../support/mailed-link'
import { expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test.use({ viewport: { width: 390, height: 844 } })

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)

async function follow(shop: Shop, sellerId: number): Promise<string> {
  const email = `${uniqueName('fan')}@example.com`
  await shop.query(
    `INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
     VALUES ($1, $2, $2, $2, now(), '/', 'yes')`,
    [sellerId, email],
  )
  return email
}

/** Makes a scheduled drop whose early access opens an hour before its start. `startsIn` moves the start. */
async function earlyDrop(fields: Record<string, string> = {}) {
  const start = { startsAt: new Date(Date.now() + 40 * 3_600_000).toISOString(), earlyMinutes: '60' }
  const made = await createSellerAndDrop({ quantity: '20', ...start, ...fields }, { plan: 'pro' })
  const startsIn = (minutes: number) =>
    made.shop.query(
      `UPDATE "Drop" SET "startedAt" = now() + make_interval(mins => $2),
              "endTime" = now() + make_interval(mins => $2, hours => "duration") WHERE "id" = $1`,
      [made.drop.id, minutes],
    )
  return { ...made, startsIn }
}

/** Waits for the email with the personal link, and returns the path of the link. */
const linkTo = (shop: Shop, email: string) => mailedLink(shop, email, /https?:\/\/\S+\?early=[\w-]+/)

test('a follower buys with the emailed link before the start, and nobody else can', async ({ page, browser }) => {
  const { shop, seller, drop, path, startsIn } = await earlyDrop()
  const email = await follow(shop, seller.id)
  await startsIn(30)
  await page.goto(path)
  await expect(page.locator('[data-followers-first]')).toHaveText(
    /^Followers can buy starting .+\. 10 of 20 units are reserved for everyone starting .+\.$/,
  )
  await expect(buyButton(page)).toBeDisabled()
  const link = await linkTo(shop, email)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Early access', exact: true })).toBeVisible()
  await expect(page.getByText('10 units left for followers.')).toBeVisible()
  await expectHydrated(page)
  const answered = page.waitForResponse(/\/api\/checkout\/create-session/)
  await buyButton(page).click()
  expect((await answered).status()).toBe(200)
  await page.waitForURL(/\/sandbox\//)
  const [stock] = await shop.query('SELECT "held", "earlyTaken" FROM "Drop" WHERE "id" = $1', [drop.id])
  expect(stock).toEqual({ held: 1, earlyTaken: 1 })

  // Another browser with the same link shows why it cannot buy.
  const other = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const stranger = await other.newPage()
  await stranger.goto(link)
  await expect(stranger.getByText("You're already checking out with this link in another browser.")).toBeVisible()
  await expect(buyButton(stranger)).toBeDisabled()
  await other.close()
})

test('early access works without JavaScript, and the page of a link that is in use shows why it is refused', async ({
  browser,
}) => {
  const { shop, seller, drop, startsIn } = await earlyDrop()
  const email = await follow(shop, seller.id)
  await startsIn(30)
  const link = await linkTo(shop, email)
  const plain = () => browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const [mine, other] = [await plain(), await plain()]
  const page = await mine.newPage()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Early access', exact: true })).toBeVisible()
  const late = await other.newPage()
  await late.goto(link)
  await expect(buyButton(late)).toBeEnabled()
  await buyButton(page).click()
  await page.waitForURL(/\/sandbox\//)
  // The other page was opened before that, so its button is enabled and only the server can refuse the purchase.
  await buyButton(late).click()
  await late.waitForURL((url) => url.search.startsWith('?early='))
  await expect(late.getByText("You're already checking out with this link in another browser.")).toBeVisible()
  expect(await shop.query('SELECT "held", "earlyTaken" FROM "Drop" WHERE "id" = $1', [drop.id])).toEqual([
    { held: 1, earlyTaken: 1 },
  ])
  await late.goto(link.replace(/early=.*/, `early=${'x'.repeat(43)}`))
  await expect(late.getByText("This early access link isn't complete.")).toBeVisible()
  await Promise.all([mine.close(), other.close()])
})

test('the page of a link opens by itself when early access begins, and public pages do not contain the link', async ({
  page,
  request,
}) => {
  const { shop, drop, path, startsIn } = await earlyDrop()
  await startsIn(90)
  const [token, mailbox] = [randomBytes(24).toString('hex').slice(0, 43), uniqueName('box')]
  const [follower] = await shop.query<{ id: number }>(
    `INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
     VALUES ($1, $2, $2, $2, now(), '/', 'yes') RETURNING "id"`,
    [drop.userId, `${mailbox}@example.com`],
  )
  await shop.query(
    'INSERT INTO "EarlyLink" ("dropId", "followerId", "mailboxKey", "tokenHash") VALUES ($1, $2, $3, $4)',
    [drop.id, follower!.id, mailbox, createHash('sha256').update(token).digest('hex')],
  )
  await page.goto(`${path}?early=${token}`)
  await expect(page.getByRole('heading', { name: 'Early access opens soon' })).toBeVisible()
  await expect(buyButton(page)).toBeDisabled()
  await expectHydrated(page)
  await startsIn(60)
  await expect(page.getByRole('heading', { name: 'Early access', exact: true })).toBeVisible()
  await expect(buyButton(page)).toBeEnabled()

  const [shared, personal, again] = [
    await request.get(path),
    await request.get(`${path}?early=${token}`),
    await request.get(`${path}?utm_source=x`),
  ]
  expect(await shared.text()).not.toContain(token)
  expect(await again.text()).not.toContain(token)
  expect(await personal.text()).toContain(token)
  expect(shared.headers()['cache-control']).toContain('public')
  expect(personal.headers()['cache-control']).not.toContain('public')
  expect(await personal.text()).toContain('<meta name="referrer" content="same-origin"')
})

test('the seller offers early access in the form, changes it and turns it off', async ({ page, context }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await follow(shop, seller.id)
  await signIn(context, seller)
  await page.goto('/create')
  await expectHydrated(page)
  await fillCreateForm(page, 'Early mug', '24')
  await page.getByLabel('Quantity').fill('1')
  await expect(page.getByLabel('Let followers buy first')).toHaveCount(0)
  await openFold(page, 'Starts now')
  await page.getByText('Later', { exact: true }).click()
  await page.getByLabel('Starts at').fill(hoursAhead(50))
  const early = page.getByLabel('Let followers buy first')
  await expect(early).toHaveAccessibleDescription(/1 person wants to hear about your next drop/)
  await early.selectOption('90 minutes before')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(early).toHaveAccessibleDescription(/This drop has one unit/)
  await page.getByLabel('Quantity').fill('20')
  await page.getByLabel('Units for followers').fill('5')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText('Your drop is scheduled. Share it before it starts.')).toBeVisible()
  const columns = 'SELECT "earlyMinutes", "earlyUnits" FROM "Drop" WHERE "userId" = $1'
  expect(await shop.query(columns, [seller.id])).toEqual([{ earlyMinutes: 90, earlyUnits: 5 }])

  await page.goto('/')
  await expect(page.getByText(/^Followers can buy starting .+: 0 of 5 taken$/)).toBeVisible()
  await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
  await page.getByLabel('Units for followers').fill('20')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Units for followers')).toHaveAccessibleDescription(/At least one unit must stay/)
  await page.getByLabel('Let followers buy first').selectOption('Off')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved').first()).toBeVisible()
  expect(await shop.query(columns, [seller.id])).toEqual([{ earlyMinutes: null, earlyUnits: null }])
})
