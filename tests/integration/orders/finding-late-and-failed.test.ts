import { dayOf } from '@/lib/drops/ship-rules'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { answerDelay } from '@/lib/orders/answer-delay'
import { askAboutDelays } from '@/lib/orders/ask-about-delays'
import { markShipped } from '@/lib/orders/mark-shipped'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/orders/refund-order'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, payAndSettle } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

afterAll(closeDatabase)

const PENDING_REFUND = '4000000000007726'
const job = () => systemContext('test')
const midnight = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS)

/** A late parcel of $48.00, of which the seller's refund of this amount is pending at Stripe. */
async function lateWithPending(amountCents: number) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, shipsFrom: 'DE', shipsWithin: 7 })
  const { url, sessionId } = await openCheckout(drop.id, { quantity: 2 })
  await payAndSettle(url, sessionId, PENDING_REFUND)
  const order = await db().order.update({
    where: { stripeSessionId: sessionId },
    data: { shipsBy: midnight(-3), paidAt: new Date(Date.now() - 20 * DAY_MS) },
  })
  const ctx = contextFor(actorOf(seller))
  const refundId = newId('ref')
  await refundOrder(ctx, { orderId: order.id, refundId, amountCents, restockUnits: 0 })
  await askAboutDelays(job())
  return { ctx, order, refundId }
}

/** The bank, or Stripe for lack of balance, ends one refund in this way. */
async function endRefund(id: string, status: 'failed' | 'succeeded') {
  const { stripeRefundId } = await db().refund.findUniqueOrThrow({ where: { id } })
  const sent = await stripe().refunds.retrieve(stripeRefundId ?? '')
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: sent.id } })
  await db().sandboxObject.update({ where: { id: sent.id }, data: { json: { ...(json as object), status } } })
  await receiveStripeEvent(job(), stripeEvent('refund.updated', { ...sent, status }))
}

const wantMoney = (token: string) => answerDelay(visitor(), { token, answer: 'refund', day: dayOf(midnight(14)) })

it('a late order of which an earlier refund of the seller fails can be shipped, or is refunded', async () => {
  const { ctx, order, refundId } = await lateWithPending(3_000)
  await wantMoney(order.token)
  const late = await db().refund.findFirstOrThrow({ where: { orderId: order.id, requestedBy: 'late' } })
  expect(late.amountCents).toBe(1_800)
  await endRefund(late.id, 'succeeded')
  await endRefund(refundId, 'failed')
  const now = await db().order.findUniqueOrThrow({ where: { id: order.id }, include: { refunds: true } })
  expect(now).toMatchObject({ status: 'paid', refundedCents: 1_800 })
  const isRefundUnderWay = now.refunds.some(({ state }) => state === 'pending')
  // Now the buyer has neither the goods nor $30.00, and the seller cannot ship.
  if (!isRefundUnderWay) await markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })
})

it('a buyer who wants the money of a late order is asked again when the refund that was under way fails', async () => {
  const { order, refundId } = await lateWithPending(4_800)
  await wantMoney(order.token)
  await endRefund(refundId, 'failed')
  await askAboutDelays(job())
  const now = await db().order.findUniqueOrThrow({ where: { id: order.id }, include: { refunds: true } })
  expect(now.status).toBe('paid')
  const view = await findBuyerOrder(db(), order.token)
  const isRefundUnderWay = now.refunds.some(({ state }) => state === 'pending')
  expect(isRefundUnderWay || view?.delay !== null).toBe(true)
})
