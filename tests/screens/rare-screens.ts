// Lists screens that few people ever see: what administrators confirm, deleted users, disputes, refused discount codes,
// payouts on hold, and the pages that links in emails open.
import type { Page } from '@playwright/test'
import {
  buy,
  createDrop,
  createSellerAndDrop,
  type DropFields,
  moveEnd,
  postJson,
  type Seller,
  signIn,
  signUp,
  testedApp,
} from '../support/e2e'
import { makeClaim } from '../support/make-claim'
import { once } from './once'
import { openDialog, openMoreDialog } from './open-dialog.mjs'
import type { Screen } from './open-screen.mjs'

const TITLE = { title: 'Riso print “Low sun”' }

async function paidOrder(fields: DropFields = {}) {
  const made = await createSellerAndDrop({ ...TITLE, ...fields }, { plan: 'pro' })
  await buy(made.shop, made.drop.id)
  const [order] = await made.shop.query<{ id: string; token: string }>(
    'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [made.drop.id],
  )
  return { ...made, ...order!, buyerPath: `/o/${order!.token}`, sellerPath: `/orders/${order!.id}` }
}

const paidOrderOnce = once(() => paidOrder())

/** The states of a dispute, by the name of its screens. */
const DISPUTES = {
  inquiry: { status: 'warning_needs_response', reason: 'product_not_received', order: 'paid' },
  open: { status: 'needs_response', reason: 'product_not_received', order: 'disputed' },
  sent: { status: 'under_review', reason: 'fraudulent', order: 'disputed' },
  lost: { status: 'lost', reason: 'product_unacceptable', order: 'disputed' },
  won: { status: 'won', reason: 'fraudulent', order: 'paid' },
  appeal: { status: 'appeal_needs_response', reason: 'fraudulent', order: 'disputed' },
}

const disputed = Object.entries(DISPUTES).map(([name, { status, reason, order }]) => ({
  name,
  make: once(async () => {
    const made = await paidOrder()
    await made.shop.query(
      `INSERT INTO "Dispute" ("id", "orderId", "stripeDisputeId", "amountCents", "reason", "status", "feeCents", "dueAt", "submittedAt", "closedAt")
       VALUES ($1, $2, $1, 2400, $3, $4, 1500, now() + interval '6 days',
               CASE WHEN $4 IN ('under_review', 'lost', 'won') THEN now() END, CASE WHEN $4 IN ('lost', 'won') THEN now() END)`,
      [`du_${made.id}`, made.id, reason, status],
    )
    await made.shop.query(`UPDATE "Order" SET "status" = $2::"OrderStatus" WHERE "id" = $1`, [made.id, order])
    return made
  }),
}))

const disputeScreens: Screen[] = disputed.flatMap(({ name, make }) => [
  { name: `order-dispute-${name}`, path: async () => (await make()).buyerPath },
  {
    name: `orders-dispute-${name}`,
    path: async () => (await make()).sellerPath,
    enter: async (context) => signIn(context, (await make()).seller),
  },
])

const coded = once(async () => {
  const made = await createSellerAndDrop({ ...TITLE, quantity: '12' }, { plan: 'pro' })
  const codes = `${made.shop.url}/api/drops/${made.drop.id}/codes`
  for (const code of ['FRIENDS', 'FIRST10', 'SPRING-20']) {
    await postJson(
      codes,
      { code, percent: 20, maxUses: code === 'FIRST10' ? 10 : null },
      { cookie: made.seller.cookie },
    )
  }
  await made.shop.query(`UPDATE "DiscountCode" SET "used" = 10 WHERE "dropId" = $1 AND "code" = 'FIRST10'`, [
    made.drop.id,
  ])
  await made.shop.query(`UPDATE "DiscountCode" SET "endedAt" = now() WHERE "dropId" = $1 AND "code" = 'SPRING-20'`, [
    made.drop.id,
  ])
  return made
})

/** Types a code on the page of a drop and taps Buy, so that the page says why the code cannot be used. */
const refusedCode = (code: string, reason: string): Pick<Screen, 'path' | 'act'> => ({
  path: async () => (await coded()).path,
  act: async (page) => {
    await page.waitForFunction(() => Reflect.get(window, 'lastcallAwake') === true)
    await page.getByText('Have a code?').click()
    await page.getByLabel('Discount code').fill(code)
    await page.getByRole('button', { name: 'Buy with code' }).filter({ visible: true }).first().click()
    await page.getByText(reason).first().waitFor()
  },
})

const asCoded = {
  path: '/',
  enter: async (context: Parameters<typeof signIn>[0]) => signIn(context, (await coded()).seller),
}

async function openCodes(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^More about / })
    .first()
    .click()
  await page.getByText('Discount codes').first().click()
  await page.getByRole('button', { name: 'Create code' }).waitFor()
}

const held = once(async () => {
  const made = await paidOrder()
  await made.shop.query(
    `UPDATE "User" SET "payoutsState" = 'ready', "payoutsStoppedUntil" = now() + interval '30 days' WHERE "id" = $1`,
    [made.seller.id],
  )
  return made
})

const ordinary = once(() => signUp(testedApp()))
const reported = once(async () => {
  const seller = await signUp(testedApp())
  const shop = testedApp()
  await shop.query('INSERT INTO "PublicProfile" ("userId", "about", "links", "updatedAt") VALUES ($1, $2, $3, now())', [
    seller.id,
    'Prints and zines from a small studio by the harbor.',
    ['https://juno.example/prints'],
  ])
  const body = new URLSearchParams({ category: 'hate', details: 'It insults people.' })
  await fetch(`${shop.url}/api/profile/report/${seller.username}`, { method: 'POST', body, redirect: 'manual' })
  return seller
})
const flagged = once(async () => createDrop(testedApp(), await signUp(testedApp()), { title: 'A hunting rifle' }))

async function openUser(page: Page, { username }: Seller): Promise<void> {
  await page.getByPlaceholder('Search users...').fill(username)
  await page.getByText(`@${username}`).click()
  await page.getByRole('dialog').waitFor()
}

const onUser = (name: string, act: (page: Page) => Promise<unknown>): Screen => ({
  name,
  path: '/admin?tab=users',
  as: 'admin',
  act: async (page) => {
    await openUser(page, await ordinary())
    await act(page)
  },
})

const deleted = once(async () => {
  const { shop, seller } = await paidOrder()
  return { shop, seller }
})

/** A seller who owes $12.00, because the card fee of a refund was larger than the payout. */
const inDebt = once(async () => {
  const made = await paidOrder()
  const owed = 'UPDATE "Transfer" SET "feeOwedCents" = "amountCents" + 1200 WHERE "sellerId" = $1'
  await made.shop.query(owed, [made.seller.id])
  return made
})

const adminScreens: Screen[] = [
  {
    name: 'admin-delete-drop',
    path: '/admin?tab=drops',
    as: 'admin',
    act: async (page) => {
      await page.getByPlaceholder('Search drops...').fill('Speckled stoneware mug')
      await openDialog(page, 'Delete Speckled stoneware mug')
    },
  },
  onUser('admin-suspend-user', (page) => page.getByText('Suspend account').click()),
  onUser('admin-hold-payouts', (page) => page.getByText('Hold payouts').first().click()),
  {
    name: 'admin-repayment',
    path: '/admin?tab=users',
    as: 'admin',
    act: async (page) => {
      await openUser(page, (await inDebt()).seller)
      await page.getByText('Record a repayment').click()
    },
  },
  onUser('admin-delete-user', (page) => page.getByRole('button', { name: 'Delete User Account' }).click()),
  {
    name: 'admin-users-deleted',
    path: '/admin?tab=users&show=deleted',
    as: 'admin',
    enter: async (context) => {
      await context.request.delete(`${testedApp().url}/api/admin/users/${(await deleted()).seller.id}`)
    },
    act: (page) => page.getByText('Deleted', { exact: true }).nth(1).waitFor(),
  },
  {
    name: 'admin-deleted-user',
    path: '/admin?tab=users&show=deleted',
    as: 'admin',
    act: async (page) => {
      await page.locator('main li button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'admin-reject-drop',
    path: async () => (await flagged(), '/admin/reviews'),
    as: 'admin',
    act: (page) => page.getByRole('button', { name: 'Reject' }).first().click(),
  },
  {
    name: 'admin-clear-profile',
    path: async () => (await reported(), '/admin/reviews'),
    as: 'admin',
    act: async (page) => {
      await page.getByText('Remove the text and links').first().click()
    },
  },
]

const endedRun = (fields: DropFields, isSold: boolean) =>
  once(async () => {
    const made = await createSellerAndDrop({ ...TITLE, ...fields }, { plan: 'pro' })
    if (isSold) await buy(made.shop, made.drop.id)
    await moveEnd(made.shop, made.drop.id, -60)
    return made
  })

const recaps = Object.entries({
  options: endedRun({ optionName: 'Size', options: 'S 2, M 5, L 3' }, false),
  open: endedRun({ isOpenEdition: 'true', isNumbered: 'true', quantity: '200' }, true),
  sold: endedRun({ quantity: '1' }, true),
  live: paidOrderOnce,
}).map(([name, make]): Screen => ({
  name: `recap-${name}`,
  path: async () => `/recap/${(await make()).drop.id}/1`,
  enter: async (context) => signIn(context, (await make()).seller),
  act: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
}))

const claimScreens: Screen[] = [
  {
    name: 'claim-countries',
    path: once(async () => {
      const { shop, drop, claim } = await makeClaim({ title: 'Celadon bowl with a long name for such a small thing' })
      const zones = [
        { cents: 0, countries: ['US'] },
        { cents: 600, countries: ['DE', 'FR'] },
      ]
      await shop.query('UPDATE "Drop" SET "shippingZones" = $2 WHERE "id" = $1', [drop.id, JSON.stringify(zones)])
      return claim
    }),
    act: (page) => page.getByLabel('Ship to').waitFor(),
  },
]

export const rareScreens: Screen[] = [
  ...recaps,
  ...claimScreens,
  ...disputeScreens,
  { name: 'drop-code-unknown', ...refusedCode('NOBODY', 'This code is not valid.') },
  { name: 'drop-code-used-up', ...refusedCode('FIRST10', 'has been used up') },
  { name: 'drop-code-ended', ...refusedCode('SPRING-20', 'has ended') },
  { name: 'dashboard-codes', ...asCoded, act: openCodes },
  {
    name: 'dashboard-codes-missing',
    ...asCoded,
    act: async (page) => {
      await openCodes(page)
      await page.getByRole('button', { name: 'Create code' }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'dashboard-codes-end',
    ...asCoded,
    act: async (page) => {
      await openCodes(page)
      await openDialog(page, 'End now: FRIENDS')
    },
  },
  { name: 'payouts-held', path: '/payouts', enter: async (context) => signIn(context, (await held()).seller) },
  { name: 'dashboard-held', path: '/', enter: async (context) => signIn(context, (await held()).seller) },
  ...['done', 'offered', 'stopped', 'stop?entry=1&key=example'].map((step) => ({
    name: `remind-${step.split('?')[0]}`,
    path: `/remind/${step}`,
  })),
  ...['done', 'stopped'].map((step) => ({ name: `follow-${step}`, path: `/follow/${step}` })),
  {
    name: 'claim-over',
    path: async () => {
      const { shop, drop, claim } = await makeClaim({ title: 'Celadon bowl' })
      await shop.query(
        `UPDATE "Hold" SET "expiresAt" = now() - interval '1 minute' WHERE "dropId" = $1 AND "state" = 'held'`,
        [drop.id],
      )
      return claim
    },
    act: (page) => page.getByRole('heading', { name: 'Your reservation has ended' }).waitFor(),
  },
  {
    name: 'claim-retry',
    path: async () => {
      const { shop, drop, claim } = await makeClaim({ title: 'Celadon bowl' })
      await shop.query(
        `UPDATE "Hold" SET "state" = 'released', "reason" = 'stripe-away', "settledAt" = now()
          WHERE "dropId" = $1 AND "state" = 'held'`,
        [drop.id],
      )
      await shop.query('UPDATE "Drop" SET "held" = 0 WHERE "id" = $1', [drop.id])
      return claim
    },
    act: (page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
  },
  {
    name: 'order-refund-form',
    path: async () => (await paidOrder()).buyerPath,
    act: (page) => page.getByText('Request a refund', { exact: true }).first().click(),
  },
  {
    name: 'order-address-form',
    path: async () => (await paidOrder()).buyerPath,
    act: (page) => page.getByText('Change the address').first().click(),
  },
  {
    name: 'order-service',
    path: async () => (await paidOrder({ productType: 'service', title: 'Portrait session, 40 minutes' })).buyerPath,
  },
  {
    name: 'order-refunded',
    path: async () => {
      const made = await paidOrder()
      await made.shop.query(
        `UPDATE "Order" SET "status" = 'refunded', "refundedCents" = "amountCents" WHERE "id" = $1`,
        [made.id],
      )
      await made.shop.query(
        `INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "reason", "requestedBy", "state", "settledAt")
         VALUES ($1, $2, 2400, 0, 'asked', 'seller', 'succeeded', now())`,
        [`rf_${made.id}`, made.id],
      )
      return made.buyerPath
    },
  },
  {
    name: 'dashboard-delete',
    path: '/',
    as: 'mira',
    act: (page) => openMoreDialog(page, 'Delete'),
  },
  ...adminScreens,
]
