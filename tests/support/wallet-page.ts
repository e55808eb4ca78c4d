// Helpers for the browser tests of wallets on the drop page.
import { expect, type Page, type Route } from '@playwright/test'
import type { Shop } from './e2e'

export const walletButton = (page: Page) => page.getByRole('button', { name: 'Pay with Demo Pay' })
export const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })
export const sheet = (page: Page) => page.getByRole('dialog', { name: 'Demo Pay' })
export const confirm = (page: Page) => sheet(page).getByRole('button', { name: /^Pay \$/ })
export const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful!' })
export const said = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first()

export const ordersOf = (shop: Shop, dropId: number) =>
  shop.query<Record<string, unknown>>(
    `SELECT "status", "quantity", "amountCents", "buyerEmail", "shipName", "shipLine1", "shipPostalCode", "shipCountry", "buyerPhone",
            "optionValue", "discountCode" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL`,
    [dropId],
  )

export async function waitForPayment(shop: Shop, dropId: number): Promise<Record<string, unknown>[]> {
  await expect.poll(async () => (await ordersOf(shop, dropId)).length).toBe(1)
  return ordersOf(shop, dropId)
}

/** Holds back the next request to a URL until `letGo` is called, and then passes it to `then`. */
export async function holdBack(page: Page, url: string, then: (route: Route) => Promise<void>) {
  let letGo = (): void => undefined
  const wait = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(
    url,
    async (route) => {
      await wait
      await then(route)
    },
    { times: 1 },
  )
  return { letGo: () => letGo() }
}
