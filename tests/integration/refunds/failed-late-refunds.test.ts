// Refunds of late orders that fail, so that the buyer would get neither the money nor the goods
// (docs/product.md#late-parcels).
import type { RefundState } from '@prisma/client'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { answerDelay } from '@/lib/shipping/answer-delay'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { refundUnanswered } from '@/lib/refunds/refund-late-order'
import { refundOrder } from '@/lib/refunds/refund-order'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { setRefundStatus } from '@/tests/support/reject-refund'
import { deliverEvents, openCheckout, payAndSettle } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

examineMoneyAfterEach()
afterAll(closeDatabase)

const PENDING_REFUND = '4000000000007726'
const job = () => systemContext('test')
const midnight = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS)

/** A late parcel of $48.00, of which the seller's refund of this amount, unless it is 0, is pending at Stripe. */
async function lateWithPending(amountCents: number) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, shipsFrom: 'DE', shipsWithin: 7, title: 'Test mug' })
  const { url, sessionId } = await openCheckout(drop.id, { quantity: 2 })
  await payAndSettle(url, sessionId, PENDING_REFUND)
  const order = await db().order.update({
    where: { stripeSessionId: sessionId },
    data: { shipsBy: midnight(-3), paidAt: new Date(Date.now() - 20 * DAY_MS) },
  })
  const ctx = contextFor(actorOf(seller))
  const refundId = newId('ref')
  if (amountCents > 0) await refundOrder(ctx, { orderId: order.id, refundId, amountCents, restockUnits: 0 })
  await askAboutDelays(job())
  return { ctx, seller, order, refundId }
}

/** The bank, or Stripe for lack of balance, ends one refund in this way. */
async function endRefund(id: string, status: 'failed' | 'succeeded') {
  const { stripeRefundId } = await db().refund.findUniqueOrThrow({ where: { id } })
  const sent = await stripe().refunds.retrieve(stripeRefundId ?? '')
  await setRefundStatus(sent.id, status)
  await receiveStripeEvent(job(), stripeEvent('refund.updated', { ...sent, status }))
}

/**
 * Lets a refund fail and its charge be refunded again. Stripe does not document whether this is possible
 * (docs/stripe-rules.md, D5), and the stand-in refuses it otherwise.
 */
async function failForOnce(id: string) {
  await endRefund(id, 'failed')
  const { stripeRefundId } = await db().refund.findUniqueOrThrow({ where: { id } })
  const { charge } = await stripe().refunds.retrieve(stripeRefundId ?? '')
  await db()
    .$executeRaw`UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{amount_refunded}', '0') WHERE "id" = ${charge as string}`
}

const wantMoney = (token: string) => answerDelay(visitor(), { token, answer: 'refund', day: dayOf(midnight(14)) })

const orderNow = (id: string) =>
  db().order.findUniqueOrThrow({ where: { id }, include: { refunds: { orderBy: { createdAt: 'asc' } } } })
const lateRefund = (orderId: string, state: RefundState) =>
  db().refund.findFirstOrThrow({ where: { orderId, requestedBy: 'late', state } })
const subjectsTo = async (to: string) =>
  (await db().outboxMail.findMany({ where: { to } })).map(({ subject }) => subject)

/** Lets the sweep send the refunds that are pending and not sent yet. */
async function sendByTheSweep(orderId: string) {
  const createdAt = new Date(Date.now() - 5 * MINUTE_MS)
  await db().refund.updateMany({ where: { orderId, stripeRefundId: null }, data: { createdAt } })
  await sweepCheckouts(job(), { looksForLost: false })
}

it('when a refund of the seller fails after the late refund of the rest, its amount is refunded as late, too', async () => {
  const { ctx, seller, order, refundId } = await lateWithPending(3_000)
  await wantMoney(order.token)
  const first = await lateRefund(order.id, 'pending')
  expect(first.amountCents).toBe(1_800)
  await endRefund(first.id, 'succeeded')
  await failForOnce(refundId)
  expect(await lateRefund(order.id, 'pending')).toMatchObject({ amountCents: 3_000, stripeRefundId: null })
  await expect(markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })).rejects.toMatchObject({
    code: 'NOT_SHIPPABLE',
  })
  // The seller has nothing to do, because the money is sent again.
  const subjects = await subjectsTo(seller.email)
  expect(subjects.filter((subject) => subject === 'Refunded because it was late: Test mug')).toHaveLength(2)
  expect(subjects).not.toContain('Refund failed: Test mug')
  await sendByTheSweep(order.id)
  await endRefund((await lateRefund(order.id, 'pending')).id, 'succeeded')
  expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refundedCents: 4_800 })
})

it('when the late refund of that amount fails, too, the order is open for shipping and nothing is repeated', async () => {
  const { ctx, seller, order, refundId } = await lateWithPending(3_000)
  await wantMoney(order.token)
  await endRefund(refundId, 'failed')
  // The other late refund may still succeed, so nothing is decided yet.
  expect(await db().refund.count({ where: { orderId: order.id, state: 'pending' } })).toBe(1)
  await endRefund((await lateRefund(order.id, 'pending')).id, 'succeeded')
  expect(await lateRefund(order.id, 'pending')).toMatchObject({ amountCents: 3_000, stripeRefundId: null })
  // The stand-in refuses to refund an amount again that its bank has rejected.
  await sendByTheSweep(order.id)
  for (const _run of [1, 2]) {
    await syncRefunds(job(), order.id)
    await refundUnanswered(job())
  }
  const now = await orderNow(order.id)
  expect(now).toMatchObject({ status: 'paid', refundedCents: 1_800, lateRefundAt: null })
  expect(now.refunds.map(({ state }) => state).sort()).toEqual(['failed', 'failed', 'succeeded'])
  expect(await subjectsTo(seller.email)).toContain('Refund failed: Test mug')
  await markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })
})

it.each([
  { dashboardCents: 4_800, refunds: [['stripe', 4_800]] },
  {
    dashboardCents: 3_000,
    refunds: [
      ['late', 1_800],
      ['stripe', 3_000],
    ],
  },
])(
  'after a refund of $dashboardCents cents in the dashboard, the late refund returns only the rest',
  async ({ dashboardCents, refunds }) => {
    const { seller, order } = await lateWithPending(0)
    await standIn()!.setFaults({
      api: { kind: 'rate-limit', path: '/v1/refunds', remaining: null, delayMs: 0 },
      deliveries: null,
    })
    await wantMoney(order.token)
    await standIn()!.setFaults({ api: null, deliveries: null })
    expect(await lateRefund(order.id, 'pending')).toMatchObject({ stripeRefundId: null, amountCents: 4_800 })
    await stripe().refunds.create({ payment_intent: order.stripePaymentIntentId ?? '', amount: dashboardCents })
    await sendByTheSweep(order.id)
    const now = await orderNow(order.id)
    expect(now.refunds.map(({ requestedBy, amountCents }) => [requestedBy, amountCents])).toEqual(refunds)
    for (const { id, stripeRefundId } of now.refunds) {
      expect(stripeRefundId).not.toBeNull()
      await endRefund(id, 'succeeded')
    }
    expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refundedCents: 4_800 })
    expect(await subjectsTo(seller.email)).not.toContain('Refund failed: Test mug')
  },
)

it('an order is open for shipping only after its last pending refund has ended', async () => {
  const { ctx, order, refundId } = await lateWithPending(3_000)
  await wantMoney(order.token)
  await endRefund((await lateRefund(order.id, 'pending')).id, 'failed')
  const ship = () => markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })
  await expect(ship()).rejects.toMatchObject({ code: 'NOT_SHIPPABLE' })
  await endRefund(refundId, 'succeeded')
  expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 3_000 })
  await ship()
})

it('a buyer who wants the money is refunded as late when the full refund that was under way fails', async () => {
  const { order, refundId, ctx } = await lateWithPending(4_800)
  await wantMoney(order.token)
  await expect(markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })).rejects.toMatchObject({
    code: 'NOT_SHIPPABLE',
  })
  await Promise.all([failForOnce(refundId), syncRefunds(job(), order.id)])
  await syncRefunds(job(), order.id)
  expect((await orderNow(order.id)).refunds).toMatchObject([
    { state: 'failed', amountCents: 4_800 },
    { state: 'pending', amountCents: 4_800, requestedBy: 'late' },
  ])
  await sendByTheSweep(order.id)
  await endRefund((await lateRefund(order.id, 'pending')).id, 'succeeded')
  expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refundedCents: 4_800 })
})

it('nobody is asked to pay back in another way an amount that is refunded as late', async () => {
  const { seller, order, refundId } = await lateWithPending(3_000)
  await wantMoney(order.token)
  // The late refund of the rest is still pending when the seller's refund fails.
  await failForOnce(refundId)
  await endRefund((await lateRefund(order.id, 'pending')).id, 'succeeded')
  expect(await lateRefund(order.id, 'pending')).toMatchObject({ amountCents: 3_000 })
  expect(await subjectsTo(seller.email)).not.toContain('Refund failed: Test mug')
})

// Stripe does not document whether a payment can be refunded after a won dispute (docs/stripe-rules.md, D1).
it('a late refund that Stripe refuses after the dispute was won is reported to the buyer and the seller', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, shipsFrom: 'DE', shipsWithin: 7, title: 'Test mug' })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, '4000000000000259')
  await deliverEvents()
  const { id, token } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await answerDispute(contextFor(actorOf(seller)), { orderId: id, statement: 'winning_evidence' })
  await standIn()!.settleDue()
  await deliverEvents()
  await db().order.update({
    where: { id },
    data: { shipsBy: midnight(-3), paidAt: new Date(Date.now() - 20 * DAY_MS) },
  })
  await askAboutDelays(job())
  await wantMoney(token)
  expect(await orderNow(id)).toMatchObject({ status: 'paid', lateRefundAt: null, refunds: [{ state: 'failed' }] })
  const { buyerEmail } = await orderNow(id)
  expect(await subjectsTo(seller.email)).toContain('Refund failed: Test mug')
  expect(await subjectsTo(buyerEmail ?? '')).toContain("Your refund didn't arrive: Test mug")
})
