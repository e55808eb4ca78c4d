// Tests the embedded checkout on a phone: declined cards, the bank's confirmation, and the end of the hold.
import { expect, type Page } from '@playwright/test'
import { CARD, moveEnd, mailTo, createSellerAndDrop, type Shop, stockOf, uniqueName } from '../support/e2e'
import { expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'

async function fillCard(page: Page, cardNumber: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNumber)
  await page.getByLabel('Expiry').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
}

const countPayments = async (shop: Shop, dropId: number) =>
  (
    await shop.query(
      `SELECT 1 FROM "SandboxObject" WHERE "kind" = 'payment_intent' AND "json"#>>'{metadata,dropId}' = $1`,
      [String(dropId)],
    )
  ).length

test('after a declined card another card pays, and the order has the right address', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '2', price: '24.00' })
  const email = `${uniqueName('bea')}@example.com`
  await page.goto(path)
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByText(/^Reserved until \d{1,2}:\d\d\s[AP]M [A-Z]{2,4}/)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^(10:00|9:5\d)$/)
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1, sold: 0 })
  // A reload and another tab use the same unit and the same payment.
  const other = await page.context().newPage()
  await other.goto(`/checkout/${drop.id}`)
  await expect(other.getByRole('button', { name: 'Pay $24.00' })).toBeEnabled()
  await other.close()
  await page.reload()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1, sold: 0 })
  expect(await countPayments(shop, drop.id)).toBe(1)

  await page.getByRole('button', { name: 'Pay $24.00' }).click()
  await expect(page.getByText('Enter an email address like name@example.com.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Full name').fill('Bea Buyer')
  await page.getByLabel('Country').selectOption('GB')
  await page.getByLabel('Address line 1').fill('1 Long Lane')
  await page.getByLabel('City').fill('London')
  await page.getByLabel('Postal code').fill('N1 7GU')
  await page.getByLabel('Phone').fill('+44 20 7946 0000')
  await fillCard(page, CARD.isDeclined)
  await page.getByRole('button', { name: 'Pay $24.00' }).click()
  const problem = page.getByRole('alert').filter({ hasText: "Your card was declined. You weren't charged." })
  await expect(problem).toBeFocused()
  await expectGoodScreen(page, 'checkout, declined')
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1, sold: 0 })

  await fillCard(page, CARD.pays)
  await page.getByRole('button', { name: 'Pay $24.00' }).click()
  await expect(page).toHaveURL(/\/success-payment\?session_id=pi_/)
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 0, sold: 1 })
  const orders = await shop.query(
    `SELECT "status", "buyerEmail", "shipName", "shipCity", "shipCountry", "amountCents" FROM "Order" WHERE "dropId" = $1`,
    [drop.id],
  )
  const place = { shipName: 'Bea Buyer', shipCity: 'London', shipCountry: 'GB' }
  expect(orders).toEqual([{ status: 'paid', buyerEmail: email, amountCents: 2400, ...place }])
  expect(await mailTo(shop, email)).toHaveLength(1)

  // The back button leads to the drop and not to the form, because the form would hold another unit.
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 0, sold: 1 })
})

test('after a failed confirmation by the bank, the buyer can try again and pay', async ({ page }) => {
  const fields = { productType: 'digital', digitalFileUrl: 'https://files.example/notes.pdf', price: '7.50' }
  const { shop, drop } = await createSellerAndDrop(fields, { plan: 'pro' })
  await page.goto(`/checkout/${drop.id}`)
  await page.getByLabel('Email').fill('bea@example.com')
  await expect(page.getByLabel('Address line 1')).toHaveCount(0)
  await fillCard(page, CARD.asksFirst)
  const pay = page.getByRole('button', { name: 'Pay $7.50' })
  const question = page.getByRole('dialog', { name: 'Confirm your payment' })

  await pay.click()
  await question.getByRole('button', { name: 'Fail' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was not charged' })).toBeFocused()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1, sold: 0 })

  await pay.click()
  await expectGoodScreen(page, 'checkout, the bank asks')
  await question.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 0, sold: 1 })
  expect(await countPayments(shop, drop.id)).toBe(1)
})

test('the page shows that the hold has ended, and the checkout can be started again', async ({ page }) => {
  const { shop, drop } = await createSellerAndDrop({ quantity: '1' })
  await page.clock.install()
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  await page.clock.fastForward('10:02')
  await expect(page.getByRole('heading', { name: 'Checkout Error' })).toBeVisible()
  await expect(page.getByText("Your reservation expired and you weren't charged.")).toBeVisible()
  await shop.query(`UPDATE "Hold" SET "expiresAt" = now() - interval '1 second' WHERE "dropId" = $1`, [drop.id])
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  await expect(page.getByRole('timer')).toHaveText(/^(10:00|9:5\d)$/)
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1, sold: 0 })
})

/** Delays the response to Pay until `letGo` is called. `asked` resolves when the server has handled the payment. */
async function slowBank(page: Page): Promise<{ letGo: () => void; asked: Promise<void> }> {
  let letGo = (): void => undefined
  const answer = new Promise<void>((resolve) => (letGo = resolve))
  let hear = (): void => undefined
  const asked = new Promise<void>((resolve) => (hear = resolve))
  await page.route('**/sandbox/elements/*/confirm', async (route) => {
    const response = await route.fetch()
    hear()
    await answer
    await route.fulfill({ response })
  })
  return { letGo: () => letGo(), asked }
}

test('a payment that lasts beyond the end of its hold is not canceled', async ({ page }) => {
  const { shop, drop } = await createSellerAndDrop({ productType: 'service' }, { plan: 'pro' })
  await page.clock.install()
  await page.goto(`/checkout/${drop.id}`)
  await page.getByLabel('Email').fill('bea@example.com')
  const bank = await slowBank(page)
  await fillCard(page, CARD.pays)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await bank.asked
  await page.clock.fastForward('10:02')
  await expect(page.getByRole('timer')).toHaveText('0:00')
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
  await expect(page.getByText('Your reservation expired')).toHaveCount(0)
  bank.letGo()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 0, sold: 1 })
})

test("a bank's confirmation that fails after the end of the hold shows that nothing was charged", async ({ page }) => {
  const { shop, drop } = await createSellerAndDrop({ productType: 'service' }, { plan: 'pro' })
  await page.clock.install()
  await page.goto(`/checkout/${drop.id}`)
  await page.getByLabel('Email').fill('bea@example.com')
  await fillCard(page, CARD.asksFirst)
  await page.getByRole('button', { name: /^Pay/ }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your payment' })
  await expect(question).toBeVisible()
  await page.clock.fastForward('10:02')
  await expect(page.getByRole('timer', { includeHidden: true })).toHaveText('0:00')
  await expect(page.getByText('Your reservation expired')).toHaveCount(0)
  await question.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('heading', { name: 'Checkout Error' })).toBeFocused()
  await expect(page.getByText("Your reservation expired and you weren't charged.")).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0 })
})

test('a buyer whose payment response is lost can check the payment after the end of the hold', async ({ page }) => {
  const { drop } = await createSellerAndDrop({ productType: 'service' }, { plan: 'pro' })
  await page.clock.install()
  await page.goto(`/checkout/${drop.id}`)
  await page.getByLabel('Email').fill('bea@example.com')
  await page.route('**/sandbox/elements/*/confirm', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await fillCard(page, CARD.pays)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: "You can't be charged twice" })).toBeFocused()
  await page.clock.fastForward('10:02')
  await expect(page.getByText("we don't know yet whether your payment went through")).toBeVisible()
  await expect(page.getByText("you weren't charged")).toHaveCount(0)
  await page.getByRole('link', { name: 'Check my payment' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
})

test('a buyer whose browser cannot load the card form reads why Pay stays disabled', async ({ page }) => {
  const { drop } = await createSellerAndDrop({ productType: 'service' }, { plan: 'pro' })
  await page.addInitScript(() => {
    const refuse = () => {
      throw new Error('The script is blocked.')
    }
    Object.defineProperty(window, 'Stripe', { get: () => undefined, set: refuse })
  })
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByRole('alert').filter({ hasText: "We couldn't load the card form" })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeDisabled()
})

test('the end of the hold is announced, and the new form keeps what was typed', async ({ page }) => {
  const { shop, drop } = await createSellerAndDrop({ quantity: '1' })
  await page.clock.install()
  await page.goto(`/checkout/${drop.id}`)
  await page.getByLabel('Email').fill('bea@example.com')
  await page.getByLabel('Full name').fill('Bea Buyer')
  await page.getByLabel('Country').selectOption('GB')
  await fillCard(page, CARD.pays)
  await page.getByLabel('Address line 1').pressSequentially('1 Long')
  await page.clock.fastForward('10:02')
  await expect(page.getByRole('heading', { name: 'Checkout Error' })).toBeFocused()
  await expect(page.getByRole('banner')).toHaveCount(1)
  await shop.query(`UPDATE "Hold" SET "expiresAt" = now() - interval '1 second' WHERE "dropId" = $1`, [drop.id])
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('bea@example.com')
  await expect(page.getByLabel('Full name')).toHaveValue('Bea Buyer')
  await expect(page.getByLabel('Country')).toHaveValue('GB')
  await expect(page.getByLabel('Address line 1')).toHaveValue('1 Long')
  await expect(page.getByLabel('Card number')).toHaveValue('')
})

test('without JavaScript the page links to the drop, where buying works', async ({ browser, shop, drop, path }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url })
  const page = await context.newPage()
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByText('Reserving your order…')).toBeHidden()
  await page.getByRole('link', { name: 'Back to the drop' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  await context.close()
})

test('the checkout of a drop that cannot be bought shows the reason', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
  await page.goto(`/checkout/${drop.id}?variants=${encodeURIComponent('{"size":"M"}')}`)
  await expect(page.getByRole('heading', { name: 'Checkout Error' })).toBeVisible()
  await expect(page.getByText('This drop has no options to choose from.')).toBeVisible()
  await expectGoodScreen(page, 'checkout, an unknown choice')
  await page.goto(`/checkout/${drop.id}?variants=%7B%7D`)
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()

  // Another buyer comes while the only unit is in the first buyer's checkout.
  await page.context().clearCookies()
  await page.goto(`/checkout/${drop.id}`)
  await expect(
    page.getByText("Every remaining unit is in someone's checkout. One may free up in a few minutes."),
  ).toBeVisible()
  // The page shows the server's reason, and no toast shows a second one.
  const toast = page.getByRole('listitem').filter({ hasText: 'Failed to initialize checkout. Please try again.' })
  const answered = page.waitForResponse('**/api/create-payment-intent')
  await page.getByRole('button', { name: 'Try again' }).click()
  await answered
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByRole('region', { name: /^Notifications/ })).toBeAttached()
  await expect(toast).toHaveCount(0)
  // A failure without a reason has a toast.
  await page.route('**/api/create-payment-intent', (route) => route.abort())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(toast).toBeVisible()
  await expect(page.getByRole('main').getByText('Failed to initialize checkout. Please try again.')).toBeVisible()
  await page.unroute('**/api/create-payment-intent')

  await moveEnd(shop, drop.id, -1)
  await page.goto(`/checkout/${drop.id}`)
  await expect(page.getByText('This drop has ended')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the drop' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  expect((await page.goto('/checkout/999999999'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Drop Not Found' })).toBeVisible()
})

// docs.stripe.com/security/guide lists the sources that Stripe's form needs. Only the page with the form may allow
// them.
test('the page with the payment form may load scripts of Stripe and open its wallets, and the drop page may not', async ({
  page,
}) => {
  const { drop, path } = await createSellerAndDrop({ quantity: '2', price: '24.00' })
  const headersOf = async (url: string) => (await page.goto(url))?.headers() ?? {}
  const payment = await headersOf(`/checkout/${drop.id}`)
  expect(payment['content-security-policy']).toContain('https://js.stripe.com https://*.js.stripe.com')
  expect(payment['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
  expect(payment['permissions-policy']).toContain('payment=(self "https://js.stripe.com"')
  const dropPage = await headersOf(path)
  expect(dropPage['content-security-policy']).toContain("frame-src 'none'")
  expect(dropPage['content-security-policy']).not.toContain('js.stripe.com')
  expect(dropPage['cross-origin-opener-policy']).toBe('same-origin')
  expect(dropPage['permissions-policy']).toContain('payment=(self)')
})
