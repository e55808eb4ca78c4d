// Tests orders on a phone, for sellers and buyers: shipping, refunds, messages, imports and downloads.
import { expect, type Page } from '@playwright/test'
import { buy, goodFields, mailTo, postDrop, signIn, signUp, testedApp, toForm } from '../support/e2e'
import { drawing } from '../support/photos'
import { expectAwake, expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'

test('opening the link of a packing slip does not ship the order, but a tap on the page does', async ({
  page,
  shop,
  seller,
  drop,
}) => {
  await buy(shop, drop.id)
  await signIn(page.context(), seller)
  await page.goto('/orders?show=ship')
  const href = await page.getByRole('link', { name: drop.title }).getAttribute('href')

  await page.goto('/orders/slips')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('img', { name: 'QR code that opens this order' })).toBeVisible()

  await page.goto(`${href}/ship`)
  await page.reload()
  await expect(page.getByText('To ship')).toBeVisible()
  await page.getByLabel('Carrier').fill('DHL')
  await page.getByLabel('Tracking number').fill('JD 0001')
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByText('That was the last one. Everything has shipped.')).toBeVisible()
  await page.goto('/orders/slips')
  await expect(page.getByText("There's nothing to ship right now.")).toBeVisible()

  const [order] = await shop.query<{ token: string }>('SELECT "token" FROM "Order" WHERE "id" = $1', [
    href!.split('/').at(-1),
  ])
  await page.goto(`/o/${order!.token}`)
  await expect(page.getByRole('link', { name: 'Track package' })).toHaveAttribute('href', /JD0001$/)
  await page.getByRole('link', { name: 'Print receipt' }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
})

test('a seller declines a refund with a reason, and the buyer confirms the delivery', async ({
  page,
  shop,
  seller,
  drop,
}) => {
  const { email } = await buy(shop, drop.id)
  const [order] = await shop.query<{ token: string }>(
    'SELECT "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [drop.id],
  )
  const ask = async (text: string) => {
    await page.getByText('Request a refund', { exact: true }).click()
    await page.getByLabel('Your message').last().fill(text)
    await page.getByRole('button', { name: 'Send' }).last().click()
  }
  await page.goto(`/o/${order!.token}`)
  const other = await page.context().newPage()
  await other.goto(`/o/${order!.token}`)
  await ask('It takes so long.')
  await expect(page.getByText("You've requested a refund")).toBeVisible()
  // The other tab still shows the form. Sending that form reports that a refund was already requested.
  await other.getByText('Request a refund', { exact: true }).click()
  await other.getByLabel('Your message').last().fill('Again.')
  await other.getByRole('button', { name: 'Send' }).last().click()
  await expect(other.getByText("You've already requested a refund.")).toBeVisible()
  // The text is kept and can be sent as a message.
  await expect(other.getByLabel('Message the seller instead')).toHaveValue('Again.')
  await expectGoodScreen(other, 'refused words')
  await other.close()

  await signIn(page.context(), seller)
  await page.goto('/orders?show=asked')
  await page.getByRole('link', { name: drop.title }).click()
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await page.getByRole('button', { name: 'Decline the request' }).click()
  await expect(page.getByText('Please tell your buyer why.')).toBeVisible()
  await page.getByLabel('Your reason').fill('It left on Monday.')
  await page.getByRole('button', { name: 'Decline the request' }).click()
  await expect(page.getByText('Refund declined')).toBeVisible()
  await expect(page.getByText('Your buyer requested a refund')).toBeHidden()
  await expect
    .poll(async () => (await mailTo(shop, email)).map(({ text }) => text).join())
    .toContain('It left on Monday.')

  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByRole('button', { name: 'Mark as delivered' })).toBeVisible()

  await page.goto(`/o/${order!.token}`)
  await expect(page.getByRole('heading', { name: 'The seller declined your refund request' })).toBeVisible()
  await expect(page.getByText('You can request another refund from')).toBeVisible()
  await page.getByRole('button', { name: 'My order arrived' }).click()
  await expect(page.getByText('Thanks for confirming.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'My order arrived' })).toBeHidden()
  await page.goto('/orders?show=delivered')
  await page.getByRole('link', { name: drop.title }).click()
  await expect(page.getByText('Delivered (the buyer confirmed it)')).toBeVisible()
})

test('a blank message is refused at its field, and two presses send one message', async ({ page, shop, drop }) => {
  await buy(shop, drop.id)
  const [order] = await shop.query<{ token: string }>(
    'SELECT "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [drop.id],
  )
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/write')) sent.push(request.postData() ?? '')
  })
  await page.goto(`/o/${order!.token}`)
  await page.getByText('Contact the seller', { exact: true }).click()
  const message = page.getByLabel('Your message').first()
  const send = page.getByRole('button', { name: 'Send' }).first()
  await expectAwake(message)
  await message.fill('  \n ')
  await send.click()
  await expect(message).toBeFocused()
  await expect(message).toHaveAccessibleDescription(/^Please write a message first/)
  await message.fill('Does it come in blue?')
  await expect(message).not.toHaveAttribute('aria-invalid')
  await send.dblclick()
  await expect(page.getByText('Message sent. The seller will reply by email.')).toBeVisible()
  expect(sent).toEqual(['about=message&text=Does+it+come+in+blue%3F'])
})

test('a packing slip’s link returns 404 to another seller and leads a visitor to the login page', async ({
  page,
  shop,
  drop,
}) => {
  await buy(shop, drop.id)
  const [order] = await shop.query<{ id: string }>(
    'SELECT "id" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [drop.id],
  )
  await page.goto(`/orders/${order!.id}/ship`)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await signIn(page.context(), await signUp(testedApp()))
  const answer = await page.goto(`/orders/${order!.id}/ship`)
  expect(answer!.status()).toBe(404)
  for (const path of ['', '/evidence.txt']) {
    expect((await page.request.get(`/orders/${order!.id}${path}`)).status()).toBe(404)
  }
})

test('a seller refunds part of an order on the phone and imports pasted tracking numbers', async ({
  page,
  shop,
  seller,
  drop,
}) => {
  await buy(shop, drop.id)
  await signIn(page.context(), seller)
  await page.goto('/orders')
  await page.getByRole('link', { name: drop.title }).click()
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel('Amount in USD').fill('4.00')
  await expect(page.getByLabel('Restock')).toBeDisabled()
  await page.getByRole('button', { name: 'Refund $4.00' }).click()
  await expect(page.getByText('$4.00 refunded').first()).toBeVisible()

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  await page.goto('/orders/import')
  await page.getByLabel('Or paste its lines').fill(`order;carrier;tracking\n${id.slice(-8)};UPS;1Z9\nNOBODY;UPS;1`)
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await expect(page.getByText('1 to mark as shipped, 1 with a problem')).toBeVisible()
  await page.getByRole('button', { name: 'Mark 1 order as shipped' }).click()
  await expect(page.getByText('1 marked as shipped, 1 with a problem')).toBeVisible()
})

test('one tap filters the list of orders to ship, and an order is shipped from the list', async ({
  page,
  shop,
  seller,
  drop,
}) => {
  await buy(shop, drop.id)
  await signIn(page.context(), seller)
  await page.goto('/orders')
  const states = page.getByRole('navigation', { name: 'Orders by state' })
  await states.getByRole('link', { name: 'To ship' }).click()
  await expect(states.getByRole('link', { name: 'To ship' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('searchbox').filter({ visible: true })).toHaveCount(0)
  await page.getByText('Search and filter').click()
  await expect(page.getByRole('searchbox').filter({ visible: true })).toHaveCount(1)
  await page.getByRole('link', { name: /^Ship / }).click()
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByText("We've emailed the buyer").first()).toBeVisible()
  await page.goto('/orders?show=ship')
  await expect(page.getByText('No orders match.')).toBeVisible()
})

test('a file can be downloaded five times, and then the page shows the limit', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop, { plan: 'pro' })
  const form = toForm(goodFields({ productType: 'digital' }), [drawing()])
  form.set('digitalFile', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'notes.pdf')
  const { id } = (await (await postDrop(shop, seller, form)).json()) as { id: number }
  await buy(shop, id)
  const [order] = await shop.query<{ token: string; sessionId: string }>(
    'SELECT "token", "stripeSessionId" AS "sessionId" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [id],
  )
  const download = (tab: Page) => tab.getByRole('button', { name: 'Download' })
  const openOrder = async (tab: Page) => {
    await tab.goto(`/o/${order!.token}`)
    await expectAwake(download(tab))
  }
  // Several taps on a slow connection count as one download.
  await openOrder(page)
  let resume = (): void => undefined
  const gate = new Promise<void>((resolve) => (resume = resolve))
  await page.route('**/download', async (route) => {
    await gate
    await route.continue()
  })
  const first = page.waitForEvent('download')
  await download(page).click()
  const sending = page.getByRole('button', { name: 'Starting…' })
  await sending.dispatchEvent('click')
  await expect(sending).toBeDisabled()
  resume()
  expect((await first).suggestedFilename()).toBe('notes.pdf')
  await page.unroute('**/download')
  await expect(page.getByText('notes.pdf · 4 downloads left')).toBeVisible()
  const other = await page.context().newPage()
  await openOrder(other)
  for (let left = 4; left > 0; left -= 1) {
    await openOrder(page)
    await expect(page.getByText(`notes.pdf · ${left} download`)).toBeVisible()
    const [file] = await Promise.all([page.waitForEvent('download'), download(page).click()])
    expect(file.suggestedFilename()).toBe('notes.pdf')
    // The page shows the new number without a reload.
    await expect(page.getByText(`notes.pdf · ${left - 1} download`)).toBeVisible()
  }
  await openOrder(page)
  await expect(download(page)).toBeDisabled()
  await expect(page.getByText("You've used all downloads for this order.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Get help' })).toHaveAttribute('href', /^\/o\/[\w-]+#help$/)
  // The page after paying has the same button.
  await page.goto(`/success-payment?session_id=${order!.sessionId}`)
  await expect(page.getByText('notes.pdf · 0 downloads left')).toBeVisible()
  await expect(download(page)).toBeDisabled()
  await expect(page.getByRole('link', { name: 'Find my order' })).toHaveAttribute('href', '/find-order')
  // The other tab was opened before the limit was reached, so it shows the limit only after a tap.
  await download(other).click()
  await expect(other.getByRole('alert').getByText("You've used all downloads for this order.")).toBeVisible()
})
