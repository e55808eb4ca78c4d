import 'server-only'
import type { CheckoutMode, Order } from '@prisma/client'
import type { MailedPhoto } from '@/lib/drops/mails'
import { MAILED_PHOTO } from '@/lib/drops/queries'
import { type Context, transaction } from '@/lib/infra/context'
import { queueForRow } from '@/lib/infra/queue-for-row'
import { isShippingCountry } from '@/lib/kernel/country'
import { newId } from '@/lib/kernel/id'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { netCents, transferDueAt } from '@/lib/payouts/rules'
import { addressLine } from '@/lib/orders/address-rules'
import { buyerReceipt, sellerSaleNotice } from '../mails'
import { markPaid } from './mark-paid'
import { type CheckoutPayment, readPayment } from './read-payment'
import { recordCardFee } from './record-card-fee'
import { refundUnfulfillable } from '@/lib/refunds/refund-unfulfillable'
import { releaseHold } from '../hold/release-hold'
import type { RefundRequester } from '@/lib/orders/refund-rules'
import { isPaymentIntent } from '../rules'
import { type MismatchReason, mismatchReasons } from '@/lib/orders/failed-purchase-reasons'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { lockOrderOnly } from '@/lib/orders/guards'

/**
 * What settleCheckout() found or did:
 * - `paid`: this call recorded the payment.
 * - `already-paid`: an earlier call recorded it.
 * - `refunded`: the payment got no unit and is refunded, or an earlier call recorded the payment, and the order has
 *   been refunded in full since.
 * - `mismatch`: the amount, currency or country of the payment was not that of the order, or a parcel had no address.
 *   The payment is refunded if Stripe reports its intent.
 * - `released`: the checkout can no longer be paid, and this call released its units.
 * - `over`: the checkout can no longer be paid, and its units had been released earlier.
 * - `unpaid`: the embedded checkout can still be paid, and no attempt to pay it is under way.
 * - `open`: the checkout can still be paid, or its payment is being processed.
 * - `unknown`: the id belongs to no order here, or the order is settled through another id.
 */
export type Settlement =
  'paid' | 'already-paid' | 'refunded' | 'released' | 'over' | 'unpaid' | 'open' | 'unknown' | 'mismatch'

type OrderToSettle = Pick<
  Order,
  | 'id'
  | 'token'
  | 'holdId'
  | 'dropId'
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
  | 'shipsFrom'
  | 'shipsBy'
  | 'shipsTo'
  | 'shippingCents'
> & {
  mode: CheckoutMode
  isNumbered: boolean
  hasKeys: boolean
  isOpenEdition: boolean
  photo: MailedPhoto | null
  seller: { username: string | null; email: string; firstName: string; wantsMail: boolean; isClosed: boolean }
}

/**
 * Reads the order in one SQL statement, because every purchase runs it. Prisma would run several statements, at several
 * times the cost.
 */
async function findOrderToSettle(ctx: Context, orderId: string): Promise<OrderToSettle | null> {
  const [order] = await ctx.sql<OrderToSettle>(
    'order-to-settle',
    `SELECT o."id", o."token", o."holdId", o."dropId", o."status", o."dropTitle", o."productType", o."quantity",
            o."amountCents", o."discountCode", o."discountCents", o."platformFeeBps", o."platformFeeCents",
            o."sellerPayoutCents", o."currency", o."cardFeeCents", o."stripeSessionId", o."stripePaymentIntentId",
            o."paidAt", o."shipsFrom", o."shipsBy", o."shipsTo", o."shippingCents",
            h."mode", d."isNumbered", d."isOpenEdition", d."keysGiven" IS NOT NULL AS "hasKeys",
            jsonb_build_object('username', u."username", 'email', u."email", 'firstName', u."firstName",
                               'wantsMail', u."emailNotifications", 'isClosed', u."deletedAt" IS NOT NULL) AS "seller",
            ${MAILED_PHOTO}
       FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
       JOIN "User" u ON u."id" = o."sellerId" JOIN "Drop" d ON d."id" = o."dropId"
      WHERE o."id" = :orderId`,
    { orderId },
  )
  return order ?? null
}

/**
 * Updates an order from its Stripe session or payment intent. Webhooks, success pages, sweeps and closeCheckout() call
 * this function, any number of times and even concurrently. The state is read from Stripe and never from an event
 * (docs/product.md#the-path-of-a-purchase).
 */
export async function settleCheckout(ctx: Context, stripeId: string): Promise<Settlement> {
  const atStripe = await readPayment(ctx, stripeId)
  if (!atStripe.orderId) return 'unknown'
  const order = await findOrderToSettle(ctx, atStripe.orderId)
  if (!order || !belongsTo(order, stripeId)) return 'unknown'

  if (atStripe.state === 'paid') {
    if (order.paidAt) return recordLateCardFee(ctx, order, atStripe)
    if (atStripe.amountCents !== order.amountCents || atStripe.currency !== order.currency) {
      return refundMismatch(ctx, order, atStripe, mismatchReasons.amount)
    }
    if (order.shipsTo !== null && atStripe.buyer.country !== order.shipsTo) {
      return refundMismatch(ctx, order, atStripe, mismatchReasons.otherCountry)
    }
    if (!hasParcelAddress(order, atStripe.buyer))
      return refundMismatch(ctx, order, atStripe, mismatchReasons.unservedAddress)
    return fulfill(ctx, order, atStripe)
  }
  if (atStripe.state === 'over') {
    return (await releaseHold(ctx, order.holdId, 'expired')) ? 'released' : 'over'
  }
  return atStripe.state
}

/**
 * Whether the session or intent belongs to this order. The intent of a hosted checkout is refused, because it is
 * settled through its session.
 */
function belongsTo(order: OrderToSettle, stripeId: string): boolean {
  if (isPaymentIntent(stripeId) !== (order.mode === 'embedded')) return false
  const known = order.mode === 'embedded' ? order.stripePaymentIntentId : order.stripeSessionId
  return known === null || known === stripeId
}

/**
 * Records the card fee of an order whose payment is already recorded, as soon as Stripe reports the fee. The fee
 * reduces the transfer to the net amount (docs/product.md#fees).
 */
async function recordLateCardFee(
  ctx: Context,
  order: OrderToSettle,
  { payment }: CheckoutPayment,
): Promise<Settlement> {
  const { cardFeeCents, settlementCurrency } = payment
  if (order.cardFeeCents === null && cardFeeCents !== null) {
    const netPayoutCents = netCents(order.sellerPayoutCents, cardFeeCents)
    await recordCardFee(ctx, { orderId: order.id, cardFeeCents, settlementCurrency, netPayoutCents })
  } else if (order.cardFeeCents === null && settlementCurrency !== null) {
    // The currency can be known although the fee is not, because Stripe has stated no exchange rate.
    await ctx.db.order.updateMany({ where: { id: order.id, settlementCurrency: null }, data: { settlementCurrency } })
  }
  return order.status === 'refunded' ? 'refunded' : 'already-paid'
}

/**
 * Refunds a payment that does not match its order: it has another amount, currency or country, or it is for a parcel
 * and has no address. Our forms and Stripe prevent all of these, so the buyer's page was manipulated. The payment never
 * buys anything, and its units are released. The refund is recorded before Stripe is called, so that the sweep can
 * repeat the call.
 */
async function refundMismatch(
  ctx: Context,
  order: OrderToSettle,
  atStripe: CheckoutPayment,
  reason: MismatchReason,
): Promise<Settlement> {
  const { stripeId, payment, buyer } = atStripe
  const { id: orderId } = order
  ctx.log.error({ orderId, stripeId, reason }, 'the payment differs from the order: to be refunded')
  await releaseHold(ctx, order.holdId, 'cancelled')
  if (!payment.intentId) return 'mismatch'
  await transaction(ctx, async (tx) => {
    await lockOrderOnly(tx, orderId)
    const requestedBy: RefundRequester = 'mismatch'
    if ((await tx.db.refund.count({ where: { orderId, requestedBy } })) > 0) return
    await tx.db.order.update({
      where: { id: orderId },
      data: { stripePaymentIntentId: payment.intentId, buyerEmail: buyer.email },
    })
    const amountCents = atStripe.amountCents ?? 0
    await tx.db.refund.create({
      data: { id: newId('ref'), orderId, amountCents, platformFeeCents: 0, reason, requestedBy },
    })
  })
  await refundUnfulfillable(ctx, orderId)
  await syncRefunds(ctx, orderId)
  return 'mismatch'
}

/**
 * Whether an order can be sent to the address that came with the payment. The seller could otherwise do nothing with
 * the order but refund it, and would pay the card fee.
 */
function hasParcelAddress({ productType }: OrderToSettle, { line1, country }: CheckoutPayment['buyer']): boolean {
  return productType !== 'physical' || (line1 !== null && country !== null && isShippingCountry(country))
}

/** Returns the address of a parcel on one line; null when nothing is shipped. */
function parcelAddress({ productType }: OrderToSettle, buyer: CheckoutPayment['buyer']): string | null {
  const { shipName, line1, line2, city, state, postalCode, country, phone } = buyer
  if (productType !== 'physical' || line1 === null) return null
  const ship = { shipLine1: line1, shipLine2: line2, shipCity: city, shipState: state, shipPostalCode: postalCode }
  return addressLine({ shipName, ...ship, shipCountry: country, buyerPhone: phone })
}

/**
 * Returns an order as it is once its payment is recorded: the tax has moved from the seller's payout to the platform's
 * fee (ADR 0073).
 */
function withTax(order: OrderToSettle, foundCents: number) {
  // A tax that is larger than the payout would come from a wrong setting at Stripe. The seller owes nothing for it.
  const taxCents = Math.min(foundCents, order.sellerPayoutCents)
  return {
    ...order,
    taxCents,
    platformFeeCents: order.platformFeeCents + taxCents,
    sellerPayoutCents: order.sellerPayoutCents - taxCents,
  }
}

/** Records the payment of an order and queues the emails about it, or refunds the payment if no unit is left. */
async function fulfill(ctx: Context, unpaid: OrderToSettle, atStripe: CheckoutPayment): Promise<Settlement> {
  const { buyer, stripeId } = atStripe
  const order = withTax(unpaid, atStripe.payment.taxCents)
  const payment = { ...atStripe.payment, taxCents: order.taxCents }
  const mails: QueuedMail[] = []
  if (buyer.email) mails.push(buyerReceipt(order, buyer.email, ctx.appUrl, parcelAddress(order, buyer)))
  if (order.seller.wantsMail) mails.push(sellerSaleNotice(order, order.seller, ctx.appUrl))
  const transfer = {
    amountCents: netCents(order.sellerPayoutCents, payment.cardFeeCents ?? 0),
    dueAt: transferDueAt(order.productType, ctx.clock.now()),
  }
  // If the seller's account is closed, nobody would deliver a parcel or a service. The units are therefore released
  // before the payment is recorded. The payment then gets no unit, because the seller's drops have ended, and is
  // refunded (docs/product.md#paid-too-late).
  if (order.seller.isClosed && order.productType !== 'digital') await releaseHold(ctx, order.holdId, 'cancelled')
  const sessionId = isPaymentIntent(stripeId) ? null : stripeId
  const ids = { orderId: order.id, holdId: order.holdId, sessionId }
  // The statement locks the row of the drop, as each hold does. Without the queue, the payments of a rush would wait
  // for that lock on all connections of the pool.
  const outcome = await queueForRow(`sale-${order.dropId}`, () =>
    markPaid(ctx, { ...ids, payment, buyer, transfer, mails }),
  )
  if (outcome === 'no-unit') {
    await refundUnfulfillable(ctx, order.id)
    return 'refunded'
  }
  if (outcome === 'paid') ctx.log.info({ orderId: order.id, amountCents: order.amountCents }, 'order paid')
  return outcome
}
