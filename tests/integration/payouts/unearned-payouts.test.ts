import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { answerDelay } from '@/lib/shipping/answer-delay'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { refundOrder } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { getPayoutSummary } from '@/lib/payouts/queries'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { makeDrop, visitor } from '@/tests/support/factories'
import { setRefundStatus } from '@/tests/support/reject-refund'
import { AVAILABLE_AT_ONCE, openCheckout, payAndSettle } from '@/tests/support/shop'
import { ctx, payOutToBank, readySeller, refund, sale, sweepAgain, transferOf } from './payout-support'

// A payout whose money can still go back to the buyer must not pay a debt. Otherwise the debt counts as paid, and the
// limits of refunds and of promised parcels are free again, although the platform may have to return the same money
// (ADR 0027). In each of these tests the seller once lost nothing, and the platform lost more with every round.
afterAll(closeDatabase)

const midnight = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS)

/** Sells one unit of a drop whose parcels have a promised day, and lets the payout become due. */
async function sellParcel(dropId: number) {
  const { url, sessionId } = await openCheckout(dropId)
  await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await db().transfer.updateMany({ where: { orderId: order.id }, data: { dueAt: new Date(0) } })
  await sweepAgain()
  return order
}

/** Lets the promised day pass. The buyer wants the money back. */
async function becomeLate({ id, token }: { id: string; token: string }): Promise<void> {
  const paidAt = new Date(Date.now() - 20 * DAY_MS)
  await db().order.update({ where: { id }, data: { shipsBy: midnight(-3), paidAt } })
  await askAboutDelays(ctx())
  await answerDelay(visitor(), { token, answer: 'refund', day: dayOf(midnight(14)) })
}

/** Creates a seller who owes $480, because a refund was paid after the account had been emptied. */
async function sellerInDebt() {
  const ready = await readySeller()
  await makeDrop({ userId: ready.seller.id, productType: 'digital', priceCents: 48_000, quantity: 100 })
  const orders = [await sale(ready.seller), await sale(ready.seller)]
  await payOutToBank(ready.account)
  const ended = { archivedAt: new Date(), isActive: false, endTime: new Date() }
  await db().drop.updateMany({ where: { userId: ready.seller.id }, data: ended })
  await refundOrder(ready.sellerCtx, refund(orders[0]!.id, 48_000))
  await sweepAgain()
  return { ...ready, next: orders[1]! }
}

it('the payout of a parcel that may be late pays no debt, and none is sent while there is a debt', async () => {
  const { seller, sellerCtx, next } = await sellerInDebt()
  const owed = await readUncoveredCents(database(), seller.id)
  const drop = await makeDrop({ userId: seller.id, priceCents: 49_000, quantity: 9, shipsFrom: 'DE', shipsWithin: 30 })
  const parcel = await sellParcel(drop.id)
  expect(await transferOf(parcel.id)).toMatchObject({ state: 'waiting', sentCents: null, withheldCents: 0 })
  expect(await readUncoveredCents(database(), seller.id)).toBe(owed)
  await expect(refundOrder(sellerCtx, refund(next.id, 48_000))).rejects.toMatchObject({ code: 'REFUND_NOT_COVERED' })
  await becomeLate(parcel)
  await sweepAgain()
  // The buyer was refunded with the buyer's own money. The seller owes the card fee, which Stripe keeps.
  const { cardFeeCents } = await db().order.findUniqueOrThrow({ where: { id: parcel.id } })
  expect(await readUncoveredCents(database(), seller.id)).toBe(owed + (cardFeeCents ?? 0))
})

it('once the parcel is shipped, its payout pays the debt', async () => {
  const { seller } = await sellerInDebt()
  const drop = await makeDrop({ userId: seller.id, priceCents: 60_000, quantity: 9, shipsFrom: 'DE', shipsWithin: 30 })
  const parcel = await sellParcel(drop.id)
  await db().order.update({ where: { id: parcel.id }, data: { status: 'shipped', shippedAt: new Date() } })
  await sweepAgain()
  expect((await transferOf(parcel.id)).withheldCents).toBeGreaterThan(40_000)
  expect(await readUncoveredCents(database(), seller.id)).toBe(0)
})

it('the payout of a disputed order pays no debt', async () => {
  const { seller } = await sellerInDebt()
  const owed = await readUncoveredCents(database(), seller.id)
  const drop = await makeDrop({ userId: seller.id, priceCents: 49_000, quantity: 9 })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await standIn()!.bankDoes(order.stripePaymentIntentId ?? '', 'dispute')
  await syncRefunds(ctx(), order.id)
  await db().transfer.updateMany({ where: { orderId: order.id }, data: { dueAt: new Date(0) } })
  await sweepAgain()
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', withheldCents: 0, deductedCents: 0 })
  expect(await readUncoveredCents(database(), seller.id)).toBe(owed)
})

it('a payout whose card fee is not known yet pays no debt, and the fee is collected if it comes late', async () => {
  const { seller } = await sellerInDebt()
  const { debtCents: owed } = await getPayoutSummary(database(), seller.id)
  const drop = await makeDrop({ userId: seller.id, productType: 'digital', priceCents: 1_000, quantity: 9 })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
  const order = await db().order.update({ where: { stripeSessionId: sessionId }, data: { cardFeeCents: null } })
  await db().transfer.update({ where: { orderId: order.id }, data: { amountCents: order.sellerPayoutCents } })
  await sweepAgain()
  expect(await transferOf(order.id)).toMatchObject({ withheldCents: 0, sentCents: null })
  // A day later the payout counts without the fee, which then comes.
  await db().order.update({ where: { id: order.id }, data: { paidAt: new Date(Date.now() - 2 * DAY_MS) } })
  await sweepAgain()
  const { withheldCents, amountCents } = await transferOf(order.id)
  expect(withheldCents).toBe(amountCents)
  await db().transfer.update({ where: { orderId: order.id }, data: { amountCents: amountCents - 59 } })
  const { debtCents } = await getPayoutSummary(database(), seller.id)
  expect(debtCents).toBe(owed - withheldCents + 59)
})

it('what a rejected refund gives back is sent again only once no other refund of the order is pending', async () => {
  const { seller, sellerCtx } = await readySeller()
  const order = await sale(seller)
  const first = refund(order.id, 1_000)
  await refundOrder(sellerCtx, first)
  const sent = await transferOf(order.id)
  expect(sent.reversedAtStripeCents).toBe(950)
  const { stripeRefundId } = await db().refund.findUniqueOrThrow({ where: { id: first.refundId } })
  await setRefundStatus(stripeRefundId ?? '', 'failed')
  const pending = { id: newId('ref'), orderId: order.id, amountCents: 700, platformFeeCents: 35, reason: '' }
  await db().refund.create({ data: { ...pending, requestedBy: 'late' } })
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  expect(await transferOf(order.id)).toMatchObject({ deductedCents: 0, sentAgainCents: 0 })
  await db().refund.update({ where: { id: pending.id }, data: { state: 'failed' } })
  await sweepAgain()
  expect(await transferOf(order.id)).toMatchObject({ sentAgainCents: 950 })
})
