// Tests the seller's pages, mostly on a phone: the money line, the list of tasks, shipping, the navigation, the share
// buttons of a live drop and the sign-up form.
import { expect, type Page } from '@playwright/test'
import { buy, openBusyDesk, openMore, createSellerAndDrop, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { readQr } from '../support/read-qr'
import { expectGoodScreen, nextFrame } from '../support/screen-checks'
import { test } from '../support/test'

const nav = (page: Page) => page.getByRole('navigation', { name: 'Your shop' })
const today = (page: Page) => page.getByRole('region', { name: 'Today' })

test('the dashboard lists tasks by urgency, and each line links to the page of its task', async ({ page }) => {
  const { orderIds } = await openBusyDesk(page)
  const [late, asked, disputed, fresh] = orderIds
  const lines = today(page).getByRole('link')
  const titles = [/^1 order is late/, /^Answer a refund request/, /^Respond to a dispute/, /waiting – connect payouts/]
  await expect(lines).toHaveText([...titles, /^1 order to ship/])
  const hrefs = await lines.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const places = [`/orders/${late}/ship`, `/orders/${asked}`, `/orders/${disputed}`, '/payouts']
  expect(hrefs).toEqual([...places, `/orders/${fresh}/ship`])
  await expect(page.getByRole('region', { name: 'Your money' })).toContainText(/Earned\$\d+\.\d\dlast 7 days/)
  await lines.first().click()
  await expect(page.getByRole('heading', { name: 'Ship this order?' })).toBeVisible()
})

test('parcels are shipped one after the other, the oldest first, with one tap each, and the carrier is remembered', async ({
  page,
}) => {
  const { shop, seller, drop } = await createSellerAndDrop({ quantity: '5' })
  for (let count = 0; count < 3; count += 1) await buy(shop, drop.id)
  const orders = await shop.query<{ id: string }>('SELECT "id" FROM "Order" WHERE "dropId" = $1 ORDER BY "paidAt"', [
    drop.id,
  ])
  await signIn(page.context(), seller)
  await page.goto('/orders?show=ship')
  await page
    .getByRole('link', { name: /^Ship / })
    .first()
    .click()
  for (const [at, { id }] of orders.entries()) {
    await expect(page).toHaveURL(new RegExp(`/orders/${id}/ship(\\?after=|$)`))
    const left = orders.length - 1 - at
    if (left > 0) await expect(page.getByText(`${left} more to ship after this one.`)).toBeVisible()
    if (at === 0) await page.getByLabel('Carrier').fill('DHL')
    else await expect(page.getByLabel('Carrier')).toHaveValue('DHL')
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
  }
  await expect(page.getByText('That was the last one. Everything has shipped.')).toBeVisible()
  const shipped = await shop.query<{ carrier: string }>(
    'SELECT "carrier" FROM "Order" WHERE "dropId" = $1 AND "status" = \'shipped\'',
    [drop.id],
  )
  expect(shipped.map(({ carrier }) => carrier)).toEqual(['DHL', 'DHL', 'DHL'])
})

test('the navigation bar leads to four pages in one tap each, and covers neither the end of a page nor the help button', async ({
  page,
}) => {
  const { shop, seller, drop } = await createSellerAndDrop()
  await buy(shop, drop.id)
  await signIn(page.context(), seller)
  await page.goto('/')
  for (const [name, path] of [
    ['Orders', '/orders'],
    ['Payouts', '/payouts'],
    ['Account', '/account'],
    ['Today', '/'],
  ] as const) {
    await nav(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(nav(page).locator('[aria-current="page"]')).toHaveText(name)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await nextFrame(page)
    const bar = (await nav(page).boundingBox())!
    expect(bar.y + bar.height).toBeCloseTo(844, 0)
    const end = await page.locator('main').evaluate((main) => main.lastElementChild!.getBoundingClientRect().bottom)
    expect.soft(end, `${path}: the last line is above the bar`).toBeLessThanOrEqual(bar.y)
    const help = (await page.getByRole('button', { name: 'Open help chat' }).boundingBox())!
    const last = (await nav(page).getByRole('link').last().boundingBox())!
    expect.soft(last.x + last.width, `${path}: the help button`).toBeLessThanOrEqual(help.x)
  }
  await page.goto('/orders?show=ship')
  await page.getByRole('link', { name: /^Ship / }).click()
  await expect(nav(page).locator('[aria-current="true"]')).toHaveText('Orders')
  await page.getByRole('button', { name: 'Open help chat' }).click()
  // The panel slides in, so the test reads its position until the panel has stopped above the bar.
  const panelEnd = async () => {
    const panel = (await page.getByRole('dialog').boundingBox())!
    return panel.y + panel.height
  }
  const bar = (await nav(page).boundingBox())!
  await expect.poll(panelEnd).toBeLessThanOrEqual(bar.y)
})

test('on a wide screen, the navigation is part of the header', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page.context(), await signUp(testedApp()))
  await page.goto('/payouts')
  const bar = (await page.getByRole('banner').boundingBox())!
  const links = (await nav(page).boundingBox())!
  expect(links.y + links.height).toBeLessThanOrEqual(bar.y + bar.height)
  await expect(nav(page).locator('[aria-current="page"]')).toHaveText('Payouts')
})

test('the payouts page says from when money is sent to a new Stripe account, and why', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(page.context(), seller)
  await shop.query(
    `UPDATE "User" SET "payoutsState" = 'ready', "stripeAccountId" = $2, "payoutsConnectedAt" = now(),
            "payoutsHeldUntil" = now() + interval '3 days' WHERE "id" = $1`,
    [seller.id, uniqueName('acct_')],
  )
  await page.goto('/payouts')
  await expect(
    page.getByText(/only after three days\. Yours start on .+\. If you didn't connect this account/),
  ).toBeVisible()
  await expectGoodScreen(page, 'payouts to a new Stripe account')
})

test('the card of a live drop offers the link, a story picture and a QR code that leads to the drop', async ({
  page,
  shop,
  seller,
  drop,
  path,
}) => {
  await signIn(page.context(), seller)
  await page.goto('/')
  await expect(page.getByRole('button', { name: `Share ${drop.title}` })).toBeVisible()
  await openMore(page)
  const kit = page.getByRole('group', { name: `Share ${drop.title}` })
  await expect(kit.getByRole('button')).toHaveText(['Copy', 'Story', 'Caption', 'QR code'])
  await kit.getByRole('button', { name: 'QR code' }).click()
  const code = page.getByRole('img', { name: `QR code of the link to ${drop.title}` })
  await expect(code).toBeVisible()
  const [, , width] = ((await code.getAttribute('viewBox')) ?? '').split(' ')
  expect(readQr((await code.locator('path').getAttribute('d')) ?? '', Number(width))).toBe(shop.url + path)
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await kit.getByRole('button', { name: 'Story' }).click()
  expect((await download).suggestedFilename()).toBe(`${drop.identifier}-story.jpg`)
})

test('a seller without tasks is asked only to connect payouts, and is then all caught up', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(page.context(), seller)
  await page.goto('/')
  await expect(today(page).getByRole('link')).toHaveText(/^Connect payouts/)
  await shop.query(`UPDATE "User" SET "payoutsState" = 'ready' WHERE "id" = $1`, [seller.id])
  await page.reload()
  await expect(page.getByText("You're all caught up")).toBeVisible()
})

test('the sign-up form keeps its fields except the password after a reload, and Back leads to the sign-in form', async ({
  page,
}) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'New here? Create an account' }).click()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  const name = uniqueName('kept')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await expect(page.getByText("you're 18 or older")).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  await expect(page.getByLabel('Username')).toHaveValue(name)
  await expect(page.getByLabel('Email')).toHaveValue(`${name}@example.com`)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
})

test.describe('axe finds no violations, and no element is too small or too wide', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('on a dashboard with every kind of task', async ({ page }) => {
    await openBusyDesk(page)
    await page.getByRole('link', { name: /^Respond to a dispute/ }).waitFor()
    await expectGoodScreen(page, 'dashboard, with something of everything to do')
  })

  test('in the dialog with the QR code of a drop', async ({ page, seller }) => {
    await signIn(page.context(), seller)
    await page.goto('/')
    await openMore(page)
    await page.getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('dialog').waitFor()
    await expectGoodScreen(page, 'the QR code of a drop')
  })

  test('on the page between one parcel and the next', async ({ page, shop, seller, drop }) => {
    for (let count = 0; count < 2; count += 1) await buy(shop, drop.id)
    await signIn(page.context(), seller)
    await page.goto('/orders?show=ship')
    await page
      .getByRole('link', { name: /^Ship / })
      .first()
      .click()
    await page.getByRole('button', { name: 'Mark as shipped and open next' }).waitFor()
    await expectGoodScreen(page, 'one parcel, with another one after it')
    const [shipped] = page.url().split('?')
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await page.waitForURL(/ship\?after=/)
    await page.goto(shipped!)
    await page.getByRole('link', { name: 'Next order' }).waitFor()
    await expectGoodScreen(page, 'a shipped parcel, and the next one')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the money line, the list of tasks and the navigation are shown, and their links work', async ({ page }) => {
    await openBusyDesk(page)
    await expect(page.getByRole('region', { name: 'Your money' })).toContainText('Earned')
    await today(page)
      .getByRole('link', { name: /^Answer a refund request/ })
      .click()
    await expect(page.getByRole('heading', { name: /^Order /, level: 1 })).toBeVisible()
    await nav(page).getByRole('link', { name: 'Payouts' }).click()
    await expect(page.getByRole('heading', { name: 'Payouts', level: 1 })).toBeVisible()
  })
})
