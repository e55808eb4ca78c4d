import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { isStripeDisputed, isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { HOUR_MS } from '@/lib/kernel/time'
import { orderError } from './messages'
import { noteRefusedRefund } from './note-refused-refund'
import { isRefundable, refundedFeeCents, type RefundRequester, restockableUnits, sentRefunds } from './rules'
import type { RefundOrderInput } from './schema'
import { syncRefunds } from './sync-refunds'

/**
 * Refunds all or part of an order (docs/product.md#refunds). The refund is recorded before Stripe is called. Its
 * idempotency key is derived from its id and, after the first hour, its age; from then on, Stripe's refunds are read
 * first. So repeating the call makes no second refund. If Stripe cannot be reached now, the sweep finishes it later.
 * @returns `pending` while Stripe is not available, or while the bank has not confirmed the refund.
 * @throws NOT_FOUND, DISPUTED, NOT_REFUNDABLE, REFUND_DIFFERS, REFUND_TOO_LARGE, RESTOCK_TOO_MANY, REFUND_REFUSED
 */
export async function refundOrder(ctx: Context<UserActor>, input: RefundOrderInput): Promise<'succeeded' | 'pending'> {
  await writeDown(ctx, input)
  try {
    return await sendRefund(ctx, input.refundId)
  } catch (error) {
    if (!isStripeUnavailable(error)) throw error
    ctx.log.error(
      { orderId: input.orderId, cause: String(error) },
      'Stripe is unavailable; the sweep will finish the refund later',
    )
    return 'pending'
  }
}

/** Reserves the amount under a lock on the order, so that two refunds at once never exceed what was paid. */
async function writeDown(ctx: Context<UserActor>, input: RefundOrderInput): Promise<void> {
  const { orderId, refundId: id, amountCents, restockUnits } = input
  const sellerId = ctx.actor.userId
  const requestedBy: RefundRequester = `seller:${sellerId}`
  try {
    await transaction(ctx, async (tx) => {
      await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "id" = ${orderId} AND "sellerId" = ${sellerId} FOR UPDATE`
      const order = await tx.db.order.findFirst({ where: { id: orderId, sellerId }, include: { refunds: true } })
      if (!order) throw orderError('NOT_FOUND')
      const known = order.refunds.find((refund) => refund.id === id)
      // The same refund was sent again. Any other row with this id, including a buyer's request, is a different refund.
      if (known && known.requestedBy === requestedBy && known.amountCents === amountCents) return
      if (known) throw orderError('REFUND_DIFFERS')
      if (order.status === 'disputed') throw orderError('DISPUTED')
      if (!isRefundable(order.status)) throw orderError('NOT_REFUNDABLE')
      const sent = sentRefunds(order.refunds)
      const sentCents = sent.reduce((sum, refund) => sum + refund.amountCents, 0)
      if (sentCents + amountCents > order.amountCents) throw orderError('REFUND_TOO_LARGE')
      if (restockUnits > restockableUnits(order, sent, amountCents)) throw orderError('RESTOCK_TOO_MANY')
      const feeOf = (cents: number) => refundedFeeCents(order.platformFeeCents, order.amountCents, cents)
      const platformFeeCents = feeOf(sentCents + amountCents) - feeOf(sentCents)
      const reason = order.refunds.find(({ state }) => state === 'requested')?.reason ?? ''
      await tx.db.refund.deleteMany({ where: { orderId, state: 'requested' } })
      await tx.db.refund.create({
        data: { id, orderId, amountCents, platformFeeCents, restockUnits, reason, requestedBy },
      })
    })
  } catch (error) {
    // The id belongs to a refund of another order, about which the caller must learn nothing.
    if (uniqueViolation(error)) throw orderError('NOT_FOUND')
    throw error
  }
}

/**
 * Sends a recorded refund to Stripe and books the result.
 * @throws DISPUTED, REFUND_REFUSED; every other error from Stripe is passed on.
 */
export async function sendRefund(ctx: Context, refundId: string): Promise<'succeeded' | 'pending'> {
  const refund = await ctx.db.refund.findUniqueOrThrow({ where: { id: refundId }, include: { order: true } })
  if (refund.state === 'succeeded') return 'succeeded'
  if (refund.state === 'failed') throw orderError('REFUND_REFUSED')
  if (refund.state !== 'pending') throw new Error(`refund ${refundId} is ${refund.state}: there is nothing to send`)
  const { order } = refund
  if (refund.stripeRefundId) return readBack(ctx, refundId, order.id)
  // After an hour a new key is used, because Stripe repeats a stored failure for the old one. An earlier attempt may have
  // succeeded, so Stripe's refunds are read first.
  const hours = Math.floor((ctx.clock.now().getTime() - refund.createdAt.getTime()) / HOUR_MS)
  if (hours > 0) {
    await syncRefunds(ctx, order.id)
    const { state } = await ctx.db.refund.findUniqueOrThrow({ where: { id: refundId } })
    if (state !== 'pending') return sendRefund(ctx, refundId)
  }
  try {
    await ctx.stripe().refunds.create(
      {
        payment_intent: order.stripePaymentIntentId ?? '',
        amount: refund.amountCents,
        reason: 'requested_by_customer',
        metadata: { orderId: order.id, refundId },
      },
      { idempotencyKey: hours > 0 ? `refund-${refundId}-${hours}` : `refund-${refundId}` },
    )
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
    await noteRefusedRefund(ctx, refund)
    throw orderError(isStripeDisputed(error) ? 'DISPUTED' : 'REFUND_REFUSED', { cause: error })
  }
  return readBack(ctx, refundId, order.id)
}

/**
 * Updates the order's refunds and disputes from Stripe and returns the state of this refund.
 * @throws REFUND_REFUSED when the bank rejected it.
 */
async function readBack(ctx: Context, refundId: string, orderId: string): Promise<'succeeded' | 'pending'> {
  await syncRefunds(ctx, orderId)
  const { state } = await ctx.db.refund.findUniqueOrThrow({ where: { id: refundId } })
  if (state === 'failed') throw orderError('REFUND_REFUSED')
  return state === 'succeeded' ? 'succeeded' : 'pending'
}
