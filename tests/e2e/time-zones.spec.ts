// Tests that times are shown in the reader's time zone with its name, and that the page of the server and that of the
// browser are the same until then.
import { expect, type Page } from '@playwright/test'
import { buy, createSellerAndDrop, signIn } from '../support/e2e'
import { expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test.use({ timezoneId: 'Asia/Tokyo', locale: 'de-DE' })

/** Collects the errors of the page and of its console, where React reports that its page differs from the server's. */
function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return errors
}

test('a buyer and a seller in Tokyo read times in their zone, and no page differs from what the server sent', async ({
  page,
}) => {
  const { shop, seller, drop, path } = await createSellerAndDrop({ quantity: '3' })
  const { sessionId } = await buy(shop, drop.id)
  const [order] = await shop.query<{ id: string; token: string; paid: string }>(
    `SELECT "id", "token", to_char("paidAt" AT TIME ZONE 'Asia/Tokyo', 'FMHH12:MI') AS "paid"
       FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL`,
    [drop.id],
  )
  const errors = watchErrors(page)
  const open = async (url: string) => {
    await page.goto(url)
    await expectHydrated(page)
  }
  await open(`/o/${order!.token}`)
  const paid = page.getByText(new RegExp(`${order!.paid}\\s[AP]M GMT\\+9`)).first()
  await expect(paid).toBeVisible()
  await open(`/o/${order!.token}/receipt`)
  await expect(paid).toBeVisible()
  for (const url of ['/', path, `${path}/runs`, `/profile/${seller.username}`, '/login', '/signup']) await open(url)
  await open(`/success-payment?session_id=${sessionId}`)
  await open(`/checkout/${drop.id}`)
  await expect(page.getByText(/^Reserved until \d{1,2}:\d\d\s[AP]M GMT\+9/)).toBeVisible()
  await signIn(page.context(), seller)
  await open(`/orders/${order!.id}`)
  await expect(paid).toBeVisible()
  for (const url of ['/', '/create', '/orders', '/payouts', '/account', `/success?drop=${drop.identifier}`]) {
    await open(url)
  }
  expect(errors).toEqual([])
})
