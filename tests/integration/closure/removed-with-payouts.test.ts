import { readHealth } from '@/lib/admin/read-overview'
import { getUserDetail } from '@/lib/admin/get-user-detail'
import { listOrders } from '@/lib/admin/ledger-queries'
import { orderFilterSchema } from '@/lib/admin/schema'
import { removeAccount } from '@/lib/closure/remove-account'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { findBuyerOrder } from '@/lib/orders/queries'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { recordHandRefund } from '@/lib/refunds/record-hand-refund'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { refundOrder } from '@/lib/refunds/refund-order'
import { rejectRefund } from '@/tests/support/reject-refund'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { passDays } from '@/tests/support/shop'
import {
  ctx,
  AVAILABLE_LATER,
  balanceOf,
  paidCheckout,
  payOutToBank,
  readySeller,
  refund,
  sale,
  sweepAgain,
  transferOf,
} from '../payouts/payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)

const DAY_MS = 24 * 60 * 60 * 1000
const admin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const ordersOf = (sellerId: number) =>
  db().order.findMany({ where: { sellerId }, orderBy: { amountCents: 'asc' }, include: { refunds: true } })

/** Makes a seller of services whose paid orders were paid out and were never marked as done. */
async function paidOut(pricesCents: readonly number[], card?: string) {
  const { seller, account } = await readySeller()
  const drop = await makeDrop({ userId: seller.id, productType: 'service', quantity: 100 })
  for (const priceCents of pricesCents) {
    await db().drop.update({ where: { id: drop.id }, data: { priceCents } })
    await paidCheckout(seller, card)
  }
  await sweepAgain()
  if (!card) await passDays()
  return { seller, account }
}

/** Makes the refunds look older, so that they do not wait for the seller's money any longer. */
const passWaiting = (sellerId: number) =>
  db().refund.updateMany({
    where: { order: { sellerId } },
    data: { createdAt: new Date(Date.now() - 7 * DAY_MS - 60_000) },
  })

it("does not refund with the platform's money what a removed seller was paid and has moved to the bank", async () => {
  const { seller, account } = await paidOut([400_000, 400_000, 400_000])
  const hadCents = await balanceOf(account)
  await payOutToBank(account)
  const by = await admin()
  expect((await getUserDetail(by, seller.id)).paidOutCents).toBe(hadCents)
  await removeAccount(by, seller.id)
  await sweepCheckouts(ctx())
  await sweepAgain()
  const waiting = await ordersOf(seller.id)
  expect(waiting.map(({ status, refundedCents }) => [status, refundedCents])).toEqual(Array(3).fill(['paid', 0]))
  for (const { stripePaymentIntentId } of waiting)
    expect((await stripe().refunds.list({ payment_intent: stripePaymentIntentId ?? '' })).data).toEqual([])
  expect(await findBuyerOrder(db(), waiting[0]!.token)).toMatchObject({ owedRefund: 'waiting' })

  // After a week, the refunds count as failed, and administrators find their orders under "Stuck".
  await passWaiting(seller.id)
  const { openRefunds } = await readHealth(database())
  await sweepCheckouts(ctx())
  for (const { status, refunds } of await ordersOf(seller.id)) {
    expect([status, refunds]).toEqual(['paid', [expect.objectContaining({ state: 'failed', requestedBy: 'closure' })]])
  }
  expect((await readHealth(database())).openRefunds).toBe(openRefunds)
  const stuck = await listOrders(database(), orderFilterSchema.parse({ show: 'stuck' }))
  expect(stuck).toEqual(
    expect.arrayContaining(
      waiting.map(({ id }) => expect.objectContaining({ id, isStuck: true, isRefundUncovered: true })),
    ),
  )
  expect(await db().outboxMail.count({ where: { dedupeKey: { startsWith: 'closure-refund-failed:' } } })).toBe(3)
  expect(await findBuyerOrder(db(), waiting[0]!.token)).toMatchObject({ owedRefund: 'notCovered' })
  // The sweep records no further refunds of these orders.
  await sweepCheckouts(ctx())
  expect((await ordersOf(seller.id)).map(({ refunds }) => refunds.length)).toEqual([1, 1, 1])

  // An administrator can still refund one in Stripe's dashboard. Nothing is left to do for this order then.
  const [first] = waiting
  await stripe().refunds.create({ payment_intent: first!.stripePaymentIntentId ?? '' })
  expect(await syncRefunds(ctx(), first!.id)).toBe('refunded')
  expect(await findBuyerOrder(db(), first!.token)).toMatchObject({ owedRefund: 'sent' })
  expect((await readHealth(database())).openRefunds).toBe(openRefunds - 1)

  // Or the buyer is paid in another way.
  const second = waiting[1]!
  await recordHandRefund(by, { orderId: second.id, reference: 'SEPA 7' })
  expect(await findBuyerOrder(db(), second.token)).toMatchObject({ owedRefund: 'byHand' })
  expect((await readHealth(database())).openRefunds).toBe(openRefunds - 2)
})

it('the money of a refund that the bank rejects after its seller has left stays with the platform, which owes it', async () => {
  const { seller, sellerCtx, account } = await readySeller()
  const order = await sale(seller)
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  expect(await balanceOf(account)).toBe(0)
  const by = await admin()
  await removeAccount(by, seller.id)
  const { stripeRefundId } = await db().refund.findFirstOrThrow({ where: { orderId: order.id } })
  await rejectRefund(stripeRefundId ?? '', order.id)
  await sweepAgain()
  expect(await balanceOf(account)).toBe(0)
  const about = { text: { contains: order.id } }
  expect(
    await db().outboxMail.count({ where: { ...about, dedupeKey: { startsWith: 'refund-owed:' } } }),
  ).toBeGreaterThan(0)
  expect(
    await db().outboxMail.count({ where: { dedupeKey: { startsWith: 'late-refund-failed:' }, to: order.buyerEmail! } }),
  ).toBeGreaterThan(0)
})

it('takes the money back from the account of a removed seller and then refunds the orders', async () => {
  const { seller, account } = await paidOut([90_000, 90_000])
  await removeAccount(await admin(), seller.id)
  expect((await ordersOf(seller.id)).map(({ status }) => status)).toEqual(['refunded', 'refunded'])
  expect(await balanceOf(account)).toBe(0)
  // Only the card fees, which Stripe keeps, are not returned.
  expect(await readUncoveredCents(database(), seller.id)).toBeLessThan(10_000)
})

it('refunds an order of a removed seller once pending money has become available and was taken back', async () => {
  const { seller } = await paidOut([90_000], AVAILABLE_LATER)
  await removeAccount(await admin(), seller.id)
  expect((await ordersOf(seller.id)).map(({ status }) => status)).toEqual(['paid'])
  await passDays()
  await sweepAgain()
  // The sweep leaves a new refund alone for 30 seconds.
  await db().refund.updateMany({
    where: { order: { sellerId: seller.id } },
    data: { createdAt: new Date(Date.now() - 60_000) },
  })
  await sweepCheckouts(ctx())
  expect((await ordersOf(seller.id)).map(({ status }) => status)).toEqual(['refunded'])
})

it('refunds small orders of a removed seller in advance, up to $500 in all and the smallest first', async () => {
  const { seller, account } = await paidOut([20_000, 45_000, 10_000])
  await payOutToBank(account)
  await removeAccount(await admin(), seller.id)
  const orders = await ordersOf(seller.id)
  expect(orders.map(({ amountCents, status }) => [amountCents, status])).toEqual([
    [10_000, 'refunded'],
    [20_000, 'refunded'],
    [45_000, 'paid'],
  ])
})

it('refunds all of an order whose payout was not sent, however large it is', async () => {
  const { seller } = await readySeller()
  await makeDrop({ userId: seller.id, productType: 'service', priceCents: 400_000, quantity: 10 })
  await paidCheckout(seller)
  await removeAccount(await admin(), seller.id)
  expect((await ordersOf(seller.id)).map(({ status }) => status)).toEqual(['refunded'])
})

it("also covers a refund of the seller that was waiting for the account's money", async () => {
  const { seller, account } = await paidOut([400_000])
  const [order] = await ordersOf(seller.id)
  const waiting = { id: newId('ref'), orderId: order!.id, amountCents: 400_000, platformFeeCents: 20_000, reason: '' }
  await db().refund.create({ data: { ...waiting, requestedBy: `seller:${seller.id}`, isTakenBackFirst: true } })
  await payOutToBank(account)
  await removeAccount(await admin(), seller.id)
  const [after] = await ordersOf(seller.id)
  expect(after).toMatchObject({ status: 'paid', refunds: [{ requestedBy: 'closure', state: 'pending' }] })
  await passWaiting(seller.id)
  await sweepCheckouts(ctx())
  // The seller still owes the money, until an administrator has decided about the order.
  const { sentCents } = await transferOf(order!.id)
  expect(await transferOf(order!.id)).toMatchObject({ deductedCents: sentCents, reversedAtStripeCents: 0 })
})

it('keeps the money of a dispute that a removed seller wins, and leaves the buyer to an administrator', async () => {
  const { seller, account } = await paidOut([90_000])
  const [order] = await ordersOf(seller.id)
  await standIn()!.bankDoes(order!.stripePaymentIntentId ?? '', 'dispute')
  await syncRefunds(ctx(), order!.id)
  await sweepAgain()
  expect(await balanceOf(account)).toBe(0)
  await removeAccount(await admin(), seller.id)
  const { stripeDisputeId } = await db().dispute.findFirstOrThrow({ where: { orderId: order!.id } })
  await stripe().disputes.update(stripeDisputeId, {
    evidence: { uncategorized_text: 'winning_evidence' },
    submit: true,
  })
  expect(await syncRefunds(ctx(), order!.id)).toBe('paid')
  await sweepAgain()
  expect(await balanceOf(account)).toBe(0)
  await sweepCheckouts(ctx())
  // Stripe refuses refunds after a dispute that was won, so an administrator has to pay the buyer.
  const [after] = await ordersOf(seller.id)
  expect(after).toMatchObject({ status: 'paid', refunds: [{ requestedBy: 'closure', state: 'failed' }] })
  await sweepAgain()
  expect(await balanceOf(account)).toBe(0)
})
