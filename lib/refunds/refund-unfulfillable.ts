import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded, isStripeDisputed } from '@/lib/infra/stripe-errors'
import { hourlyKey } from '@/lib/infra/stripe-keys'
import { createRefundAtStripe } from './create-refund-at-stripe'
import { noteRefusedRefund } from './note-refused-refund'
import { syncRefunds } from './sync-refunds'

/**
 * Refunds, through Stripe, an order that was paid but got no unit (docs/product.md#paid-too-late), or whose payment was
 * not the amount of the order. Our database shows an order without a unit as refunded already. Repeated runs make only
 * one refund, because Stripe refuses to refund the whole payment twice and its refunds are read back. The buyer gets
 * one email once the refund has succeeded.
 */
export async function refundUnfulfillable(ctx: Context, orderId: string): Promise<void> {
  const pending = await ctx.db.refund.findFirst({
    where: { orderId, state: 'pending', requestedBy: { in: ['system', 'mismatch'] } },
    include: { order: true },
  })
  if (!pending) return
  const { stripePaymentIntentId: paymentIntent } = pending.order
  if (!paymentIntent) throw new Error(`order ${orderId} has no payment to refund`)
  let isRefunded = false
  if (!pending.stripeRefundId) {
    try {
      const refund = {
        payment_intent: paymentIntent,
        metadata: { orderId, refundId: pending.id, reason: pending.requestedBy },
      }
      const key = hourlyKey(`refund-unfulfillable-${orderId}`, ctx.clock.now())
      // Stripe refuses to refund the whole payment twice, so there is no need to look for an earlier attempt.
      await createRefundAtStripe(ctx, pending, key, refund)
      ctx.log.warn({ orderId, reason: pending.requestedBy }, 'paid but not fulfilled: refund requested')
    } catch (error) {
      // The bank decides about a disputed payment, so the refund is not tried again.
      if (isStripeDisputed(error)) await noteRefusedRefund(ctx, pending)
      else if (isStripeAlreadyRefunded(error)) isRefunded = true
      else throw error
    }
  }
  await syncRefunds(ctx, orderId)
  // If Stripe had created our refund, syncRefunds() would have found it. If our refund is still unsent, it has failed,
  // because Stripe accepts no further refund of this payment.
  if (isRefunded && (await isUnsent(ctx, pending.id))) await noteRefusedRefund(ctx, pending)
}

const isUnsent = async ({ db }: Context, id: string): Promise<boolean> =>
  (await db.refund.count({ where: { id, state: 'pending', stripeRefundId: null } })) > 0
