import 'server-only'
import type { Order } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded } from '@/lib/infra/stripe-errors'
import { hourlyKey } from '@/lib/infra/stripe-keys'

import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { netCents, transferDueAt } from '@/lib/payouts/rules'
import { buyerReceipt, sellerSaleNotice } from './mails'
import { markPaid } from './mark-paid'
import { type CheckoutPayment, readPayment } from './read-payment'
import { recordCardFee } from './record-card-fee'
import { refundUnfulfillable } from './refund-unfulfillable'
import { releaseHold } from './release-hold'
import { isPaymentIntent } from './rules'

export type Settlement = 'paid' | 'already-paid' | 'refunded' | 'released' | 'open' | 'unknown' | 'mismatch'

type OrderToSettle = Pick<
  Order,
  | 'id'
  | 'token'
  | 'holdId'
  | 'status'
  | 'dropTitle'
  | 'productType'
  | 'quantity'
  | 'amountCents'
  | 'platformFeeBps'
  | 'platformFeeCents'
  | 'sellerPayoutCents'
  | 'currency'
  | 'cardFeeCents'
  | 'stripeSessionId'
  | 'stripePaymentIntentId'
  | 'paidAt'
> & {
  door: 'hosted' | 'embedded'
  seller: { username: string | null; email: string; firstName: string; wantsMail: boolean; isClosed: boolean }
}

/** One hand-written statement: every purchase runs it, and Prisma would take three with several times their cost. */
async function findOrderToSettle(ctx: Context, orderId: string): Promise<OrderToSettle | null> {
  const [order] = await ctx.sql<OrderToSettle>(
    'order-to-settle',
    `SELECT o."id", o."token", o."holdId", o."status", o."dropTitle", o."productType", o."quantity", o."amountCents",
            o."platformFeeBps", o."platformFeeCents", o."sellerPayoutCents", o."currency", o."cardFeeCents",
            o."stripeSessionId", o."stripePaymentIntentId", o."paidAt", h."door",
            jsonb_build_object('username', u."username", 'email', u."email", 'firstName', u."firstName",
                               'wantsMail', u."emailNotifications", 'isClosed', u."deletedAt" IS NOT NULL) AS "seller"
       FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "User" u ON u."id" = o."sellerId"
      WHERE o."id" = :orderId`,
    { orderId },
  )
  return order ?? null
}

/**
 * Updates an order from its Stripe session or payment intent, whether a webhook, the success page or the sweep asks for
 * it. It reads the state from Stripe and never from an event, and may run any number of times, even concurrently
 * (docs/product.md#the-path-of-a-purchase).
 */
export async function settleCheckout(ctx: Context, stripeId: string): Promise<Settlement> {
  const paid = await readPayment(ctx, stripeId)
  if (!paid.orderId) return 'unknown'
  const order = await findOrderToSettle(ctx, paid.orderId)
  if (!order || !belongsTo(order, stripeId)) return 'unknown'

  if (paid.state === 'paid') {
    if (order.paidAt) return complete(ctx, order, paid)
    if (paid.amountCents !== order.amountCents || paid.currency !== order.currency) {
      return refundMismatch(ctx, order, paid)
    }
    return fulfil(ctx, order, paid)
  }
  if (paid.state === 'over') {
    await releaseHold(ctx, order.holdId, 'expired')
    return 'released'
  }
  return 'open'
}

/**
 * Each order has one payment in its own checkout mode: the intent of a hosted session is settled through its session.
 */
function belongsTo(order: OrderToSettle, stripeId: string): boolean {
  if (isPaymentIntent(stripeId) !== (order.door === 'embedded')) return false
  const known = order.door === 'embedded' ? order.stripePaymentIntentId : order.stripeSessionId
  return known === null || known === stripeId
}

/**
 * Records the card fee of a paid order once it is known, which reduces the transfer to the net amount
 * (docs/product.md#fees).
 */
async function complete(ctx: Context, order: OrderToSettle, { payment }: CheckoutPayment): Promise<Settlement> {
  const { cardFeeCents, settlementCurrency } = payment
  if (order.cardFeeCents === null && cardFeeCents !== null) {
    const netPayoutCents = netCents(order.sellerPayoutCents, cardFeeCents)
    await recordCardFee(ctx, { orderId: order.id, cardFeeCents, settlementCurrency, netPayoutCents })
  }
  return order.status === 'refunded' ? 'refunded' : 'already-paid'
}

/**
 * The amount or currency is not what we asked for. Goods are never given for it: the whole payment is refunded and the
 * unit is released.
 */
async function refundMismatch(
  ctx: Context,
  order: OrderToSettle,
  { stripeId, payment }: CheckoutPayment,
): Promise<Settlement> {
  ctx.log.error({ orderId: order.id, stripeId }, 'paid amount differs from the order: refunded')
  if (payment.intentId) {
    const idempotencyKey = hourlyKey(`refund-mismatch-${order.id}`, ctx.clock.now())
    const refund = { payment_intent: payment.intentId, metadata: { orderId: order.id } }
    await ctx
      .stripe()
      .refunds.create(refund, { idempotencyKey })
      .catch((error: unknown) => {
        if (!isStripeAlreadyRefunded(error)) throw error
      })
  }
  await releaseHold(ctx, order.holdId, 'cancelled')
  return 'mismatch'
}

async function fulfil(ctx: Context, order: OrderToSettle, paid: CheckoutPayment): Promise<Settlement> {
  const { payment, buyer, stripeId } = paid
  const mails: QueuedMail[] = []
  if (buyer.email) mails.push(buyerReceipt(order, buyer.email, ctx.appUrl))
  if (order.seller.wantsMail) mails.push(sellerSaleNotice(order, order.seller, ctx.appUrl))
  const transfer = {
    amountCents: netCents(order.sellerPayoutCents, payment.cardFeeCents ?? 0),
    dueAt: transferDueAt(order.productType, ctx.clock.now()),
  }
  // The seller's account is closed, so nobody would ship it. The unit is released first, so that the payment finds none
  // and is refunded (docs/product.md#paid-too-late).
  if (order.seller.isClosed && order.productType !== 'digital') await releaseHold(ctx, order.holdId, 'cancelled')
  const sessionId = isPaymentIntent(stripeId) ? null : stripeId
  const ids = { orderId: order.id, holdId: order.holdId, sessionId }
  const outcome = await markPaid(ctx, { ...ids, payment, buyer, transfer, mails })
  if (outcome === 'no-unit') return refundUnfulfillable(ctx, order.id)
  if (outcome === 'paid') ctx.log.info({ orderId: order.id, amountCents: order.amountCents }, 'order paid')
  return outcome
}
