// Lists the screens for paying, the screens that buyers use after a payment, and the page with the sandbox's emails.

/** @type {import('./open-screen.mjs').Screen[]} */
export const checkoutScreens = [
  { name: 'card-page', path: async (shop) => new URL(await shop.openCheckout()).pathname },
  {
    name: 'card-declined',
    path: async (shop) => new URL(await shop.openCheckout()).pathname,
    act: async (page) => {
      await fillCard(page, '4000 0000 0000 0002')
      await page.getByText('Your card was declined').first().waitFor()
    },
  },
  { name: 'payment-success', path: (shop) => shop.paid().then((paid) => paid.success) },
  {
    name: 'payment-breakdown',
    path: (shop) => shop.paid().then((paid) => paid.success.replace('/success-payment', '/payment-success-breakdown')),
  },
  {
    name: 'payment-confirming',
    path: async (shop) =>
      `/success-payment?session_id=${new URL(await shop.openCheckout()).pathname.split('/').at(-1)}`,
  },
  { name: 'payment-unknown', path: '/success-payment?session_id=cs_test_unknown' },
  { name: 'order', path: (shop) => shop.paid().then((paid) => paid.order) },
  { name: 'order-asked', path: (shop) => shop.asked() },
  { name: 'order-receipt', path: (shop) => shop.paid().then((paid) => `${paid.order}/receipt`) },
  { name: 'find-order', path: '/find-order' },
  {
    name: 'checkout-embedded',
    path: async (shop) => `/checkout/${await shop.dropId()}`,
    act: (page) => page.getByLabel('Card number').waitFor(),
  },
  {
    name: 'checkout-embedded-declined',
    path: async (shop) => `/checkout/${await shop.dropId()}`,
    act: async (page) => {
      await fillCard(page, '4000 0000 0000 0002')
      await page.getByText("You weren't charged").first().waitFor()
    },
  },
  {
    name: 'checkout-embedded-confirm',
    path: async (shop) => `/checkout/${await shop.dropId()}`,
    act: async (page) => {
      await fillCard(page, '4000 0000 0000 3220')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'checkout-error',
    path: async (shop) => `/checkout/${await shop.dropId()}?variants=%7B%22size%22%3A%22M%22%7D`,
  },
  { name: 'sandbox-mail', path: '/sandbox/mail' },
]

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} number
 */
async function fillCard(page, number) {
  await page.getByLabel('Email').fill('buyer@example.com')
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12/30')
  await page.getByLabel('CVC').fill('123')
  const values = {
    'Full name': 'Bea Buyer',
    'Address line 1': '1 Long Lane',
    City: 'London',
    'Postal code': 'N1 7GU',
  }
  for (const [label, value] of Object.entries(values)) {
    const field = page.getByLabel(label, { exact: true })
    if (await field.count()) await field.fill(value)
  }
  await page.getByRole('button', { name: /^Pay/ }).click()
}
