// Tests the main path on a phone: a seller publishes a drop, a visitor buys it, and the seller sees the sale and ships
// it.
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { fillCardPage } from '../support/card-page'
import { buy, mailTo, createSellerAndDrop, signIn, signUp, uniqueName } from '../support/e2e'
import { drawing, photoWithExif } from '../support/photos'
import { test } from '../support/test'

/** Imitates a slow mobile network, so that the progress of an upload can be seen. */
async function throttleUploads(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 20,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

test('a new seller has a live link within 60 seconds of opening the sign-up form', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const username = uniqueName('maker')
  const title = uniqueName('Stoneware cup')
  const startedAt = Date.now()

  await test.step('the seller signs up', async () => {
    await page.goto('/create')
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await page.getByRole('button', { name: 'New here? Create an account' }).click()
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Maker')
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(`${username}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill('cups and saucers')
    await expect(page.getByText('Username is available!')).toBeVisible()
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'New drop' })).toBeVisible()
  })

  await test.step('the seller publishes a drop with photos', async () => {
    await page.getByLabel('Product Name').fill(title)
    await page.getByLabel('Description').fill('Thrown by hand, glazed twice.')
    // The photos are sent while the seller types. On this connection they are still being sent when the form is
    // submitted.
    await throttleUploads(page, 25_000)
    await page
      .getByLabel('Add product images')
      .setInputFiles([await photoWithExif(), drawing('ceramic-mug-1'), drawing('ceramic-mug-3')])
    await expect(page.getByText('3 of 5')).toBeVisible()
    await page.getByLabel('Price').fill('24')
    await expect(page.getByText("You'll earn about")).toContainText('$21.80')
    await page.getByLabel('Quantity').fill('3')
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByText(/^Uploading [1-9]\d?%/)).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Upload', exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible({ timeout: 30_000 })
  })

  const link = await page.getByText(/^http:\/\/\S+\/drop\/d[a-z0-9]{9}$/).innerText()
  await test.step('the seller copies the link', async () => {
    await expect(page).toHaveURL(/\/success\?drop=/)
    await expect(page.getByText('Expires in 24 hours')).toBeVisible()
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Link copied!').first()).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await page.getByText('QR code for print').click()
    await expect(page.getByRole('img', { name: "QR code of the drop's link" })).toBeVisible()
  })

  await test.step('the link opens the live page', async () => {
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('3 of 3 left')).toBeVisible()
  })
  const seconds = (Date.now() - startedAt) / 1000
  console.log(`From sign-up to a live link: ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(60)

  await test.step('the served pictures contain no metadata of the phone', async () => {
    const answer = await page.request.get(`${new URL(link).origin}/api${new URL(link).pathname}`)
    const drop = (await answer.json()) as { images: { srcSet: string; width: number; height: number }[] }
    expect(drop.images).toHaveLength(3)
    // The photo was stored sideways with an orientation in its metadata, and must now be upright.
    expect(drop.images[0]!.height).toBeGreaterThan(drop.images[0]!.width)
    const sources = drop.images[0]!.srcSet.split(', ').map((entry) => entry.split(' ')[0]!)
    expect(sources.length).toBeGreaterThan(1)
    for (const source of sources) {
      const picture = await page.request.get(source)
      expect(picture.headers()['content-type']).toBe('image/webp')
      const metadata = await sharp(await picture.body()).metadata()
      expect(metadata.format).toBe('webp')
      for (const kind of ['exif', 'xmp', 'iptc'] as const) expect(metadata[kind]).toBeUndefined()
      expect((await picture.body()).includes('Test Phone')).toBe(false)
    }
  })
})

test('a visitor buys, the seller sees the sale and ships it', async ({ page, browser }) => {
  const { shop, seller, drop, path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the visitor opens the link and buys', async () => {
    await page.goto(path)
    await expect(page.getByRole('timer', { name: 'Time left' })).toBeVisible()
    await expect(page.getByText('3 of 3 left')).toBeVisible()
    await page.getByRole('button', { name: 'Buy – $24.00' }).click()
    await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
    await expect(page.getByText(`Sold by @${seller.username}`)).toBeVisible()
    await fillCardPage(page, email)
    await page.getByLabel('Country').selectOption({ label: 'United Kingdom' })
    await page.getByRole('button', { name: 'Pay $24.00' }).click()
  })

  const sessionId = await test.step('the success page shows the reference of the payment', async () => {
    await expect(page).toHaveURL(/\/success-payment\?session_id=cs_test_/)
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
    const id = new URL(page.url()).searchParams.get('session_id') ?? ''
    await expect(page.getByText(id.slice(-8))).toBeVisible()
    await expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Continue Shopping' })).toBeVisible()
    return id
  })

  const orderPath = await test.step('the order page is the receipt', async () => {
    await page.getByRole('link', { name: 'View your order' }).click()
    await expect(page).toHaveURL(/\/o\/[A-Za-z0-9]{43}$/)
    await expect(page.getByRole('heading', { name: 'Thanks for your order' })).toBeVisible()
    await expect(page.getByText('$24.00 USD')).toBeVisible()
    await expect(page.getByText('1 Long Lane')).toBeVisible()
    return new URL(page.url()).pathname
  })

  await test.step('the receipt is in the mailbox', async () => {
    const receipts = await mailTo(shop, email)
    expect(receipts.map((mail) => mail.subject)).toEqual([`Your order: ${drop.title}`])
    expect(receipts[0]!.text).toContain(orderPath)
    expect(receipts[0]!.html).toContain(orderPath)
    await page.goto(`/sandbox/mail?to=${encodeURIComponent(email)}`)
    await expect(page.getByText(`Your order: ${drop.title}`).first()).toBeVisible()
    const notices = await mailTo(shop, seller.email)
    expect(notices.map((mail) => mail.subject).filter((subject) => subject.startsWith('Sold'))).toEqual([
      `Sold: ${drop.title}`,
    ])
  })

  await test.step('the order shows amount, fee and payout', async () => {
    const answer = await page.request.get(`/api/order/${sessionId}`)
    expect(await answer.json()).toEqual({
      amount: '24.00',
      platformFee: '1.20',
      platformFeePercentage: 5,
      sellerPayout: '22.80',
      sellerPlan: 'free',
    })
  })

  const desk = await browser.newContext()
  await signIn(desk, seller)
  const sellerPage = await desk.newPage()
  await test.step('the dashboard counts the sale', async () => {
    await sellerPage.goto('/')
    await expect(sellerPage.getByRole('heading', { name: `Hi @${seller.username}` })).toBeVisible()
    await expect(sellerPage.getByText('1 of 3 sold')).toBeVisible()
    await expect(sellerPage.getByRole('link', { name: '1 order to ship' })).toBeVisible()
    await expect(sellerPage.locator('dl').filter({ hasText: 'Revenue' })).toContainText('$24.00')
  })

  await test.step('the order is shipped and the buyer gets an email', async () => {
    await sellerPage.getByRole('link', { name: '1 order to ship' }).click()
    await expect(sellerPage.getByRole('heading', { name: 'Ship this order?' })).toBeVisible()
    await sellerPage.getByRole('navigation', { name: 'Your shop' }).getByRole('link', { name: 'Orders' }).click()
    await expect(sellerPage.getByRole('heading', { name: 'Orders' })).toBeVisible()
    await sellerPage.getByRole('link', { name: drop.title }).click()
    await expect(sellerPage.getByRole('heading', { name: /^Order /, level: 1 })).toBeVisible()
    for (const text of [
      drop.title,
      email,
      'Bea Buyer',
      '1 Long Lane',
      'London, N1 7GU',
      'United Kingdom',
      '−$1.20',
      '$22.80',
    ]) {
      await expect(sellerPage.getByText(text, { exact: true }).first()).toBeVisible()
    }
    await sellerPage.getByRole('button', { name: 'Mark as shipped' }).click()
    await sellerPage.getByLabel('Carrier').fill('Royal Mail')
    await sellerPage.getByLabel('Tracking number').fill('RM 1234 5678 GB')
    await sellerPage.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click()
    await expect(sellerPage.getByText('Marked as shipped').first()).toBeVisible()
    await expect(sellerPage.getByRole('button', { name: 'Mark as shipped' })).toBeHidden()
    const [newest] = await mailTo(shop, email)
    expect(newest!.subject).toBe(`Shipped: ${drop.title}`)
    expect(newest!.text).toContain('RM 1234 5678 GB')
  })
  await desk.close()

  await test.step('the order page says that the order is shipped', async () => {
    await page.goto(orderPath)
    await expect(
      page.getByText('Your order is on its way with Royal Mail, tracking number RM 1234 5678 GB.'),
    ).toBeVisible()
  })
})

test('a guessed order link returns 404, and other sellers do not see the order', async ({
  page,
  browser,
  shop,
  drop,
}) => {
  await buy(shop, drop.id)

  const guess = await page.goto(`/o/${'a'.repeat(43)}`)
  expect(guess!.status()).toBe(404)
  const other = await browser.newContext()
  await signIn(other, await signUp(shop))
  const otherPage = await other.newPage()
  await otherPage.goto('/orders')
  await expect(otherPage.getByText('No orders yet.')).toBeVisible()
  await other.close()
})
