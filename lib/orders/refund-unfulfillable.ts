import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded } from '@/lib/infra/stripe-errors'
import { hourlyKey } from '@/lib/infra/stripe-keys'
import { syncRefunds } from './sync-refunds'

/**
 * Refunds, through Stripe, an order that was paid but got no unit (docs/product.md#paid-too-late). Our database shows
 * it as refunded already. Stripe refuses to refund the whole payment twice, and its refunds are read back, so repeated
 * runs make only one refund. The buyer gets one email once the refund has succeeded.
 */
export async function refundUnfulfillable(ctx: Context, orderId: string): Promise<'refunded'> {
  const pending = await ctx.db.refund.findFirst({
    where: { orderId, state: 'pending', requestedBy: 'system' },
    include: { order: { select: { stripePaymentIntentId: true } } },
  })
  if (!pending) return 'refunded'
  const { stripePaymentIntentId: paymentIntent } = pending.order
  if (!paymentIntent) throw new Error(`order ${orderId} has no payment to refund`)
  if (!pending.stripeRefundId) {
    try {
      await ctx
        .stripe()
        .refunds.create(
          { payment_intent: paymentIntent, metadata: { orderId, refundId: pending.id, reason: 'no-unit-left' } },
          { idempotencyKey: hourlyKey(`refund-no-unit-${orderId}`, ctx.clock.now()) },
        )
      ctx.log.warn({ orderId }, 'paid without a unit left: refunded')
    } catch (error) {
      if (!isStripeAlreadyRefunded(error)) throw error
    }
  }
  await syncRefunds(ctx, orderId)
  return 'refunded'
}
