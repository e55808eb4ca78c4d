import 'server-only'
import type { CheckoutMode, Order } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { netCents, transferDueAt } from '@/lib/payouts/rules'
import { buyerReceipt, sellerSaleNotice } from './mails'
import { markPaid } from './mark-paid'
import { type CheckoutPayment, readPayment } from './read-payment'
import { recordCardFee } from './record-card-fee'
import { refundUnfulfillable } from './refund-unfulfillable'
import { releaseHold } from './release-hold'
import { isPaymentIntent, type RefundRequester } from './rules'
import { syncRefunds } from './sync-refunds'

/**
 * What settleCheckout() found or did: the order is `paid` by this call or was `already-paid`; its payment is `refunded`
 * because it got no unit, or because it is a `mismatch` of amount or currency; its units were `released`, because it
 * cannot be paid any more; it is still `open`; or the checkout belongs to no order of this platform (`unknown`).
 */
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
  | 'discountCode'
  | 'discountCents'
  | 'platformFeeBps'
  | 'platformFeeCents'
  | 'sellerPayoutCents'
  | 'currency'
  | 'cardFeeCents'
  | 'stripeSessionId'
  | 'stripePaymentIntentId'
  | 'paidAt'
> & {
  mode: CheckoutMode
  seller: { username: string | null; email: string; firstName: string; wantsMail: boolean; isClosed: boolean }
}

/**
 * Written as one SQL statement, because every purchase runs it and Prisma would run three, at several times the cost.
 */
async function findOrderToSettle(ctx: Context, orderId: string): Promise<OrderToSettle | null> {
  const [order] = await ctx.sql<OrderToSettle>(
    'order-to-settle',
    `SELECT o."id", o."token", o."holdId", o."status", o."dropTitle", o."productType", o."quantity", o."amountCents",
            o."discountCode", o."discountCents",
            o."platformFeeBps", o."platformFeeCents", o."sellerPayoutCents", o."currency", o."cardFeeCents",
            o."stripeSessionId", o."stripePaymentIntentId", o."paidAt", h."mode",
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
 * Whether the session or intent is the one of this order. The intent of a hosted checkout is refused, because it is
 * settled through its session.
 */
function belongsTo(order: OrderToSettle, stripeId: string): boolean {
  if (isPaymentIntent(stripeId) !== (order.mode === 'embedded')) return false
  const known = order.mode === 'embedded' ? order.stripePaymentIntentId : order.stripeSessionId
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
 * Handles a payment whose amount or currency is not that of the order. It never buys anything: the units are released
 * and the whole payment is refunded. The refund is recorded before Stripe is asked, so that the sweep can repeat it.
 */
async function refundMismatch(ctx: Context, order: OrderToSettle, paid: CheckoutPayment): Promise<Settlement> {
  const { stripeId, payment, buyer } = paid
  const { id: orderId } = order
  ctx.log.error({ orderId, stripeId }, 'paid amount differs from the order: to be refunded')
  await releaseHold(ctx, order.holdId, 'cancelled')
  if (!payment.intentId) return 'mismatch'
  await transaction(ctx, async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "id" = ${orderId} FOR UPDATE`
    const requestedBy: RefundRequester = 'mismatch'
    if ((await tx.db.refund.count({ where: { orderId, requestedBy } })) > 0) return
    await tx.db.order.update({
      where: { id: orderId },
      data: { stripePaymentIntentId: payment.intentId, buyerEmail: buyer.email },
    })
    const amountCents = paid.amountCents ?? 0
    const reason = 'the amount paid was not the amount of the order'
    await tx.db.refund.create({
      data: { id: newId('ref'), orderId, amountCents, platformFeeCents: 0, reason, requestedBy },
    })
  })
  await refundUnfulfillable(ctx, orderId)
  await syncRefunds(ctx, orderId)
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
  // The seller's account is closed, so nobody would deliver the order. Its units are released first. The payment then
  // gets none, because the seller's drops have ended, and is refunded (docs/product.md#paid-too-late).
  if (order.seller.isClosed && order.productType !== 'digital') await releaseHold(ctx, order.holdId, 'cancelled')
  const sessionId = isPaymentIntent(stripeId) ? null : stripeId
  const ids = { orderId: order.id, holdId: order.holdId, sessionId }
  const outcome = await markPaid(ctx, { ...ids, payment, buyer, transfer, mails })
  if (outcome === 'no-unit') return refundUnfulfillable(ctx, order.id)
  if (outcome === 'paid') ctx.log.info({ orderId: order.id, amountCents: order.amountCents }, 'order paid')
  return outcome
}
