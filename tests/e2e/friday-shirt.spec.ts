// Follows one drop from creation to refund. The drop combines most features: a numbered shirt in five sizes that starts
// on a Friday at eight, for followers first, ships to two zones, and has a code for friends. The seller and the buyers
// use phones.
import { type Browser, expect, type Page } from '@playwright/test'
import { fillCardPage } from '../support/card-page'
import { fillCreateForm, openFold, publishDrop } from '../support/fill-create-form'
import { freshAddress, mailTo, openMore, type Shop, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { mailedLink } from '../support/mailed-link'
import { expectGoodScreen, expectHydrated, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const newPhone = async (browser: Browser) =>
  (await browser.newContext({ ...PHONE, extraHTTPHeaders: { 'x-forwarded-for': freshAddress() } })).newPage()

/** Returns next Friday at 20:00 UTC, at least a day ahead, in the format of the form's field. */
function fridayAtEight(): string {
  const day = new Date(Date.now() + 24 * 3_600_000)
  while (day.getUTCDay() !== 5) day.setUTCDate(day.getUTCDate() + 1)
  return `${day.toISOString().slice(0, 10)}T20:00`
}

/** Follows the seller on the profile, confirms with the emailed link, and returns the email address. */
async function follow(page: Page, shop: Shop, username: string): Promise<string> {
  const email = `${uniqueName('fan')}@example.com`
  await page.goto(`/profile/${username}`)
  await page.getByLabel('Your email').fill(email)
  await page.getByRole('button', { name: 'Email me' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await page.goto(await mailedLink(shop, email, /https?:\S+\/follow\/confirm\S+/))
  await page.getByRole('button', { name: 'Yes, email me' }).click()
  await expect(page.getByRole('heading', { name: "You're on the list" })).toBeVisible()
  return email
}

/** Returns the text of the email with this subject. */
async function mailAbout(shop: Shop, email: string, subject: string | RegExp): Promise<string> {
  const find = async () => (await mailTo(shop, email)).find((mail) => new RegExp(subject).test(mail.subject))
  await expect.poll(async () => (await find())?.subject, { timeout: 30_000 }).toBeTruthy()
  return (await find())!.text
}

/** Moves the start of the drop, and its end with it. */
const startsIn = (shop: Shop, dropId: number, minutes: number) =>
  shop.query(
    `UPDATE "Drop" SET "startedAt" = now() + make_interval(mins => $2),
            "endTime" = now() + make_interval(mins => $2, hours => "duration") WHERE "id" = $1`,
    [dropId, minutes],
  )

/** Fills in the card page and pays. */
async function payOnCardPage(page: Page, email: string, amount: string): Promise<void> {
  await fillCardPage(page, email)
  await page.getByRole('button', { name: `Pay ${amount}` }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
}

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test('a numbered shirt in five sizes starts on Friday, for followers first, with two zones and a code', async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(180_000)
  const shop = testedApp()
  const seller = await signUp(shop, { plan: 'pro' })
  await signIn(context, seller)
  const title = uniqueName('Friday shirt')
  const fan = await newPhone(browser)
  const fanEmail = await follow(fan, shop, seller.username)

  const link = await test.step('the seller describes the shirt in the form and publishes it', async () => {
    await openHydrated(page, '/create')
    await fillCreateForm(page, title, '40')
    await page.getByText('Sizes, colors or other choices: none').click()
    await page.getByLabel('Choices with their units').fill('XS 2, S 5, M 10, L 5, XL 3')
    await expect(page.getByLabel('Quantity')).toHaveValue('25')
    await openFold(page, 'Limited edition, not numbered')
    await page.getByLabel('Number each unit').click()
    await openFold(page, 'Starts now')
    await page.getByText('Later', { exact: true }).click()
    await page.getByLabel('Starts at').fill(fridayAtEight())
    await page.getByLabel('Let followers buy first').selectOption('60 minutes before')
    await page.getByLabel('Units for followers').fill('8')
    await openFold(page, 'No shipping promise')
    await page.getByLabel('Ships from').selectOption('Germany')
    await page.getByText('Where you ship: everywhere, included in the price').click()
    await page.getByRole('button', { name: 'Choose countries' }).click()
    const zone = (number: number) => page.getByRole('group', { name: `Zone ${number}` })
    await zone(1).getByRole('button', { name: '+ Germany' }).click()
    await zone(1).getByLabel('Surcharge per order').fill('0')
    await page.getByRole('button', { name: 'Add a zone' }).click()
    await zone(2).getByLabel('Add a country').fill('United States')
    await zone(2).getByLabel('Add a country').press('Enter')
    await zone(2).getByLabel('Surcharge per order').fill('12')
    const shared = await publishDrop(page)
    await expect(page.getByText('Your drop is scheduled. Share it before it starts.')).toBeVisible()
    return shared
  })
  const [drop] = await shop.query<{ id: number; quantity: number; isNumbered: boolean; earlyUnits: number }>(
    'SELECT * FROM "Drop" WHERE "title" = $1',
    [title],
  )
  expect(drop).toMatchObject({ quantity: 25, isNumbered: true, earlyUnits: 8 })

  await test.step('the seller makes a code for friends on the dashboard', async () => {
    await page.goto('/')
    await openMore(page)
    await page.getByText('Discount codes').click()
    await page.getByLabel('Code', { exact: true }).fill('friends')
    await page.getByLabel('Off each unit').fill('25')
    await page.getByRole('button', { name: 'Create code' }).click()
    await expect(page.getByText('25% off. Buyers pay $30.00 each.')).toBeVisible()
  })

  const visitor = await newPhone(browser)
  await test.step('the page says when it starts, who comes first, which sizes there are, and where it ships', async () => {
    await visitor.goto(link)
    await expect(visitor.getByRole('timer', { name: /start/i })).toBeVisible()
    await expect(visitor.locator('[data-followers-first]')).toHaveText(
      /^Followers can buy starting .+\. 17 of 25 units across all choices are reserved for everyone starting .+\.$/,
    )
    for (const size of ['XS', 'S', 'M', 'L', 'XL']) {
      await expect(visitor.getByRole('radio', { name: new RegExp(`^${size}\\b`) })).toBeAttached()
    }
    await expect(visitor.getByText(/^Ships to Germany/)).toBeVisible()
    await expect(buyButton(visitor)).toBeDisabled()
    await expectGoodScreen(visitor, 'shirt before the start')
  })

  const fanOrder = await test.step('a follower buys early with the code and pays no shipping surcharge', async () => {
    await startsIn(shop, drop!.id, 30)
    const early = await mailedLink(shop, fanEmail, /https?:\/\/\S+\?early=[\w-]+/)
    await openHydrated(fan, early)
    await expect(fan.getByText('8 units left for followers.')).toBeVisible()
    await fan.getByText('Have a code?').click()
    await fan.getByLabel('Discount code').fill('friends')
    await fan.getByRole('radio', { name: /^L\b/ }).check({ force: true })
    await fan.getByLabel('Ship to').selectOption('DE')
    await buyButton(fan).click()
    await expect(fan.getByRole('heading', { name: 'Pay $30.00' })).toBeVisible()
    await payOnCardPage(fan, fanEmail, '$30.00')
    await fan.getByRole('link', { name: 'View your order' }).click()
    await expect(fan.getByText('No. 1', { exact: true })).toBeVisible()
    await expect(fan.getByText(`${title} (Size L)`).first()).toBeVisible()
    await expect(fan.getByText('FRIENDS, −$10.00')).toBeVisible()
    const text = await mailAbout(shop, fanEmail, '^Your order')
    for (const part of ['Size L', 'No. 1', 'FRIENDS', '$30.00']) expect(text).toContain(part)
    return new URL(fan.url()).pathname
  })

  await test.step('everyone can buy after the start, and a parcel to the second zone costs more', async () => {
    await startsIn(shop, drop!.id, -1)
    await expect
      .poll(async () => {
        await visitor.goto(link)
        return buyButton(visitor).isEnabled()
      })
      .toBe(true)
    await visitor.setViewportSize(PHONE.viewport)
    await expectHydrated(visitor)
    await visitor.getByRole('radio', { name: /^M\b/ }).check({ force: true })
    await visitor.getByLabel('Ship to').selectOption('United States, +$12.00')
    await buyButton(visitor).click()
    await expect(visitor.getByRole('heading', { name: 'Pay $52.00' })).toBeVisible()
    const email = `${uniqueName('bea')}@example.com`
    await payOnCardPage(visitor, email, '$52.00')
    await expect(visitor.getByText('You paid $52.00')).toBeVisible()
    await visitor.getByRole('link', { name: 'View your order' }).click()
    await expect(visitor.getByText('No. 2', { exact: true })).toBeVisible()
    const text = await mailAbout(shop, email, '^Your order')
    for (const part of ['Size M', 'No. 2', 'Shipping to the United States', '$52.00']) expect(text).toContain(part)
  })

  await test.step('the list of orders, the slips and both CSV files contain the details of the orders', async () => {
    await page.goto('/orders')
    await expect(page.getByText(`${title} (Size L)`).first()).toBeVisible()
    const slips = await shop.query<{ id: string }>(
      'SELECT "id" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL ORDER BY "paidAt"',
      [drop!.id],
    )
    await page.goto(`/orders/slips?order=${slips[0]!.id}&order=${slips[1]!.id}`)
    await expect(page.getByRole('cell', { name: `${title} (Size L) No. 1` })).toBeVisible()
    await expect(page.getByRole('cell', { name: `${title} (Size M) No. 2` })).toBeVisible()
    const csv = await (await page.request.get('/orders/export.csv')).text()
    expect(csv).toMatch(/Size L.*,FRIENDS,10\.00,.*DE,0\.00/)
    expect(csv).toMatch(/Size M.*US,12\.00/)
    const statement = await (await page.request.get('/payouts/statement.csv')).text()
    expect(statement).toMatch(/,FRIENDS,10\.00,/)
  })

  await test.step('a refund retires the number, so the shirt is not sold again', async () => {
    await page.goto('/orders')
    await page
      .getByRole('link', { name: `${title} (Size L)` })
      .first()
      .click()
    await page.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByLabel('Restock')).toBeDisabled()
    await expect(page.getByText(/number of a refunded unit is retired/)).toBeVisible()
    await page.getByRole('button', { name: 'Refund $30.00' }).click()
    await expect(page.getByText('$30.00 refunded').first()).toBeVisible()
    await visitor.goto(`${link}/edition`)
    await expect(visitor.getByText(/No\. 1 .*retired|retired.*No\. 1/).first()).toBeVisible()
    expect(await mailAbout(shop, fanEmail, 'efund')).toContain('$30.00')
    await fan.goto(fanOrder)
    await expect(fan.getByText(/refunded/i).first()).toBeVisible()
    await expectGoodScreen(fan, 'a refunded order of the shirt')
  })
})
