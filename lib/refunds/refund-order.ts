import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { isStripeDisputed, isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { HOUR_MS } from '@/lib/kernel/time'
import { postponePayout } from '@/lib/payouts/postpone-payout'
import { orderError } from '@/lib/orders/messages'
import { refundError } from './messages'
import {
  assertCardFeeCovered,
  assertRefundCovered,
  isAboveAdvance,
  lockRefundsOfSeller,
  readAvailableCents,
} from './assert-refund-covered'
import { bookDeduction } from './book-deduction'
import { createRefundAtStripe } from './create-refund-at-stripe'
import { keySequence } from '@/lib/orders/key-sequence'
import { noteRefusedRefund } from './note-refused-refund'
import {
  isOfRest,
  refundedFeeCents,
  type RefundRequester,
  restockableUnits,
  sentRefunds,
  shippingLeftCents,
  shownKeysOf,
} from '@/lib/orders/refund-rules'
import { isRefundable } from '@/lib/orders/rules'
import type { RefundOrderInput } from './schema'
import { syncRefunds } from './sync-refunds'
import { takeBackRefund } from './take-back-refund'

/**
 * How many refunds an order may have before the rest can only be refunded as a whole. Each costs calls to Stripe and an
 * email to the buyer, so without a limit one order could send thousands. We chose the number.
 */
const MOST_REFUNDS = 20

/**
 * Refunds all or part of an order (docs/product.md#refunds). Repeating the call does not create a second refund. The
 * refund is recorded before Stripe is called, and its idempotency key is derived from its id. After the first hour,
 * Stripe's refunds are read first. If Stripe cannot be reached now, the sweep finishes the refund later.
 * @returns `pending` while Stripe is not available, or while the bank has not confirmed the refund.
 * @throws NOT_FOUND, DISPUTED, NOT_REFUNDABLE, REFUND_DIFFERS, REFUND_TOO_LARGE, REFUND_ABOVE_SHIPPING,
 *   RESTOCK_TOO_MANY, RESTOCK_NUMBERED, RESTOCK_SHOWN, REFUNDED_OFTEN, REFUND_NOT_COVERED, FEES_NOT_COVERED,
 *   TOO_MANY_REQUESTS, REFUND_REFUSED
 */
export async function refundOrder(ctx: Context<UserActor>, input: RefundOrderInput): Promise<'succeeded' | 'pending'> {
  const sellerId = ctx.actor.userId
  const { orderId, amountCents } = input
  // recordRefund() checks this again. Here it keeps a refund that is refused anyway from causing a call to Stripe.
  const order = await ctx.db.order.findFirst({ where: { id: orderId, sellerId }, select: { amountCents: true } })
  if (!order) throw orderError('NOT_FOUND')
  if (amountCents > order.amountCents) throw refundError('REFUND_TOO_LARGE')
  const availableCents = await readAvailableCents(ctx, { orderId, amountCents, sellerId })
  await recordRefund(ctx, input, availableCents)
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

/**
 * Records the refund under a lock on the order, so that concurrent refunds never exceed the amount paid.
 * @param availableCents the result of readAvailableCents()
 */
async function recordRefund(ctx: Context<UserActor>, input: RefundOrderInput, availableCents: number): Promise<void> {
  const { orderId, refundId: id, amountCents, restockUnits, isForShipping = false } = input
  const sellerId = ctx.actor.userId
  const requestedBy: RefundRequester = `seller:${sellerId}`
  try {
    await transaction(ctx, async (tx) => {
      await lockRefundsOfSeller(tx, sellerId)
      await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "id" = ${orderId} AND "sellerId" = ${sellerId} FOR UPDATE`
      const order = await tx.db.order.findFirst({
        where: { id: orderId, sellerId },
        include: { refunds: true, drop: true, keys: { orderBy: keySequence, select: { shownAt: true } } },
      })
      if (!order) throw orderError('NOT_FOUND')
      const known = order.refunds.find((refund) => refund.id === id)
      // The same refund was sent again. Any other row with this id, including a buyer's request, is a different refund.
      if (known && known.requestedBy === requestedBy && known.amountCents === amountCents) return
      if (known) throw refundError('REFUND_DIFFERS')
      if (order.status === 'disputed') throw refundError('DISPUTED')
      if (!isRefundable(order.status)) throw refundError('NOT_REFUNDABLE')
      const sent = sentRefunds(order.refunds)
      const sentCents = sent.reduce((sum, refund) => sum + refund.amountCents, 0)
      if (sentCents + amountCents > order.amountCents) throw refundError('REFUND_TOO_LARGE')
      const isRest = sentCents + amountCents === order.amountCents
      if (!isRest && order.refunds.length >= MOST_REFUNDS) throw refundError('REFUNDED_OFTEN')
      const { isNumbered } = order.drop
      if (isNumbered && restockUnits > 0) throw refundError('RESTOCK_NUMBERED')
      const shownKeys = shownKeysOf(order)
      if (isForShipping && amountCents > shippingLeftCents(order, sent)) throw refundError('REFUND_ABOVE_SHIPPING')
      const shippingCents = isForShipping ? amountCents : 0
      const goodsCents = amountCents - shippingCents
      if (restockUnits > restockableUnits({ ...order, isNumbered, shownKeys }, sent, goodsCents))
        throw refundError(shownKeys > 0 ? 'RESTOCK_SHOWN' : 'RESTOCK_TOO_MANY')
      const feeOf = (cents: number) => refundedFeeCents(order.platformFeeCents, order.amountCents, cents)
      const platformFeeCents = feeOf(sentCents + amountCents) - feeOf(sentCents)
      await postponePayout(tx, orderId)
      const sellerCents = amountCents - platformFeeCents
      const isTakenBackFirst = await isAboveAdvance(tx, { orderId, sellerId, sellerCents })
      const reason = order.refunds.find(({ state }) => state === 'requested')?.reason ?? ''
      await tx.db.refund.deleteMany({ where: { orderId, state: 'requested' } })
      await tx.db.refund.create({
        data: {
          id,
          orderId,
          amountCents,
          platformFeeCents,
          restockUnits,
          shippingCents,
          reason,
          requestedBy,
          isTakenBackFirst,
        },
      })
      if (isTakenBackFirst) {
        await bookDeduction(tx, order)
        await assertRefundCovered(tx, orderId, availableCents)
      } else await assertCardFeeCovered(tx, { orderId, sellerId })
    })
  } catch (error) {
    // The id belongs to a refund of another order, about which the caller must learn nothing.
    if (uniqueViolation(error)) throw orderError('NOT_FOUND')
    throw error
  }
}

/**
 * Sends a recorded refund to Stripe and records the result. A refund of the rest is reduced, or removed, when someone
 * has refunded a part in Stripe's dashboard (adoptRefund()).
 * @returns also `pending` when it was removed
 * @throws DISPUTED, REFUND_REFUSED, REFUND_NOT_COVERED, and every other error from Stripe
 */
export async function sendRefund(ctx: Context, refundId: string): Promise<'succeeded' | 'pending'> {
  const refund = await ctx.db.refund.findUnique({ where: { id: refundId }, include: { order: true } })
  // Another process has withdrawn it, because the seller's account could not return the money.
  if (!refund) throw refundError('REFUND_NOT_COVERED')
  if (refund.state === 'succeeded') return 'succeeded'
  if (refund.state === 'failed') throw refundError('REFUND_REFUSED')
  if (refund.state !== 'pending') throw new Error(`refund ${refundId} is ${refund.state}: there is nothing to send`)
  const { order } = refund
  if (refund.stripeRefundId) return readBack(ctx, refundId, order.id)
  if (refund.isTakenBackFirst && !refund.takenBackAt) {
    await takeBackRefund(ctx, refund)
    return sendRefund(ctx, refundId)
  }
  // An earlier attempt may have succeeded. Stripe forgets a key after a day, and after a failure of Stripe another key
  // is used (createRefundAtStripe()), so Stripe's refunds are read first. The key must not depend on the time: Stripe
  // may still carry out an earlier request, whose refund the read does not show.
  const ageMs = ctx.clock.now().getTime() - refund.createdAt.getTime()
  if (ageMs > HOUR_MS || refund.failures > 0) {
    await syncRefunds(ctx, order.id)
    const known = await ctx.db.refund.findUnique({ where: { id: refundId } })
    if (!known) return 'pending'
    if (known.state !== 'pending' || known.stripeRefundId) return sendRefund(ctx, refundId)
    refund.amountCents = known.amountCents
  }
  try {
    // The amount of a refund of the rest may be reduced, and Stripe refuses a key that it knows with another amount.
    const key = isOfRest(refund) ? `refund-${refundId}-${refund.amountCents}` : `refund-${refundId}`
    await createRefundAtStripe(ctx, refund, key, {
      payment_intent: order.stripePaymentIntentId ?? '',
      amount: refund.amountCents,
      reason: 'requested_by_customer',
      metadata: { orderId: order.id, refundId },
    })
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
    // A dispute must be known before the payout is settled, so that nothing is sent while the bank decides. A refund
    // that someone made in Stripe's dashboard must be known before anyone is asked to pay the buyer in another way.
    await syncRefunds(ctx, order.id)
    const known = await ctx.db.refund.findUnique({ where: { id: refundId } })
    if (!known) return 'pending'
    if (known.amountCents < refund.amountCents) return sendRefund(ctx, refundId)
    await noteRefusedRefund(ctx, refund)
    throw refundError(isStripeDisputed(error) ? 'DISPUTED' : 'REFUND_REFUSED', { cause: error })
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
  if (state === 'failed') throw refundError('REFUND_REFUSED')
  return state === 'succeeded' ? 'succeeded' : 'pending'
}
