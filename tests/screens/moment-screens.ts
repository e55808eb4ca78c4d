// Lists drops at certain moments, and what a buyer sees who cannot buy or has left a checkout.
import { fillCardPage } from '../support/card-page'
import {
  buy,
  CARD,
  createSellerAndDrop,
  type DropFields,
  moveEnd,
  openCheckout,
  signIn,
  signUp,
  testedApp,
} from '../support/e2e'
import type { Screen } from './open-screen.mjs'

const LAST_HOUR_SECONDS = 40 * 60
const TITLE = { title: 'Riso print “Low sun”' }

async function madeDrop(fields: DropFields = {}) {
  return createSellerAndDrop({ ...TITLE, ...fields }, { plan: 'pro' })
}

async function shippedOrder(): Promise<string> {
  const { shop, drop } = await madeDrop()
  await buy(shop, drop.id)
  const [order] = await shop.query<{ token: string }>(
    `UPDATE "Order" SET "status" = 'shipped', "shippedAt" = now(), "carrier" = 'USPS', "trackingNumber" = '9400100000000000000000'
      WHERE "dropId" = $1 AND "paidAt" IS NOT NULL RETURNING "token"`,
    [drop.id],
  )
  return `/o/${order!.token}`
}

async function openedCard(): Promise<string> {
  const { shop, drop } = await madeDrop()
  return new URL((await openCheckout(shop, drop.id)).body.url!).pathname
}

const digital = { productType: 'digital', digitalFileUrl: 'https://files.example/notes.pdf', price: '7.50' }

export const momentScreens: Screen[] = [
  {
    name: 'drop-scheduled',
    path: async () => (await madeDrop({ startsAt: new Date(Date.now() + 30 * 3_600_000).toISOString() })).path,
  },
  {
    name: 'drop-removed',
    path: async () => {
      const { shop, drop, path } = await madeDrop()
      await shop.query(`UPDATE "Drop" SET "hiddenAt" = now(), "isActive" = false WHERE "id" = $1`, [drop.id])
      return path
    },
  },
  {
    name: 'drop-last-hour',
    path: async () => {
      const { shop, drop, path } = await madeDrop()
      await moveEnd(shop, drop.id, LAST_HOUR_SECONDS)
      return path
    },
  },
  {
    name: 'drop-all-in-checkout',
    path: async () => {
      const { shop, drop, path } = await madeDrop({ quantity: '1' })
      await openCheckout(shop, drop.id)
      return path
    },
  },
  {
    name: 'drop-still-reserved',
    path: async () => (await madeDrop()).path,
    act: async (page) => {
      const path = page.url()
      // The page remembers the open checkout only if its script has sent the order.
      await page.waitForFunction(() => Reflect.get(window, 'lastcallAwake') === true)
      await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).first().click()
      await page.getByRole('heading', { name: /^Pay \$/ }).waitFor()
      await page.goto(path)
      await page.getByText('Reserved for you').filter({ visible: true }).first().waitFor()
    },
  },
  {
    name: 'drop-without-option',
    path: async () => (await madeDrop({ optionName: 'Size', options: 'S 2, M 5' })).path,
    act: async (page) => {
      await page.waitForFunction(() => Reflect.get(window, 'lastcallAwake') === true)
      await page
        .getByRole('button', { name: /^(Buy|Choose)/ })
        .filter({ visible: true })
        .first()
        .click()
      await page.getByText('Please choose a Size.').first().waitFor()
    },
  },
  { name: 'claim-unknown', path: `/claim/${'a'.repeat(43)}` },
  { name: 'order-unknown', path: `/o/${'a'.repeat(43)}` },
  {
    name: 'order-shipped',
    path: shippedOrder,
  },
  {
    name: 'order-download',
    path: async () => {
      const { shop, drop } = await madeDrop(digital)
      const { sessionId } = await buy(shop, drop.id)
      return `/success-payment?session_id=${sessionId}`
    },
    act: (page) =>
      page
        .getByRole('link', { name: 'View your order' })
        .click()
        .then(() => page.waitForURL('**/o/*')),
  },
  {
    name: 'card-missing',
    path: openedCard,
    act: async (page) => {
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'card-confirm',
    path: openedCard,
    act: async (page) => {
      await fillCardPage(page, 'bea@example.com', CARD.asksFirst)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  },
  {
    name: 'card-digital',
    path: async () => {
      const { shop, drop } = await madeDrop(digital)
      return new URL((await openCheckout(shop, drop.id)).body.url!).pathname
    },
  },
  {
    name: 'card-paid',
    path: async () => {
      const { shop, drop } = await madeDrop()
      return new URL((await buy(shop, drop.id)).checkoutUrl).pathname
    },
  },
  { name: 'card-unknown', path: '/sandbox/checkout/cs_test_unknown' },
  {
    name: 'card-pro',
    path: '/?upgrade=true',
    enter: async (context) => signIn(context, await signUp(testedApp())),
    act: async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Pro' }).click()
      await page.getByRole('heading', { name: /^Pay \$/ }).waitFor()
    },
  },
]
