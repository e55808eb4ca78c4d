import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded, isStripeDisputed } from '@/lib/infra/stripe-errors'
import { hourlyKey, onceKeyIsFree } from '@/lib/infra/stripe-keys'
import { noteRefusedRefund } from './note-refused-refund'
import { syncRefunds } from './sync-refunds'

/**
 * Refunds, through Stripe, an order that was paid but got no unit (docs/product.md#paid-too-late), or whose payment was
 * not the amount of the order. Our database shows an order without a unit as refunded already. Stripe refuses to refund
 * the whole payment twice, and its refunds are read back, so repeated runs make only one refund. The buyer gets one email
 * once the refund has succeeded.
 */
export async function refundUnfulfillable(ctx: Context, orderId: string): Promise<'refunded'> {
  const pending = await ctx.db.refund.findFirst({
    where: { orderId, state: 'pending', requestedBy: { in: ['system', 'mismatch'] } },
    include: { order: true },
  })
  if (!pending) return 'refunded'
  const { stripePaymentIntentId: paymentIntent } = pending.order
  if (!paymentIntent) throw new Error(`order ${orderId} has no payment to refund`)
  if (!pending.stripeRefundId) {
    try {
      const refund = {
        payment_intent: paymentIntent,
        metadata: { orderId, refundId: pending.id, reason: pending.requestedBy },
      }
      const idempotencyKey = hourlyKey(`refund-unfulfillable-${orderId}`, ctx.clock.now())
      await onceKeyIsFree(() => ctx.stripe().refunds.create(refund, { idempotencyKey }))
      ctx.log.warn({ orderId, reason: pending.requestedBy }, 'paid in vain: refund requested')
    } catch (error) {
      // The bank decides about a disputed payment, so there is nothing to repeat.
      if (isStripeDisputed(error)) await noteRefusedRefund(ctx, pending)
      else if (!isStripeAlreadyRefunded(error)) throw error
    }
  }
  await syncRefunds(ctx, orderId)
  return 'refunded'
}
