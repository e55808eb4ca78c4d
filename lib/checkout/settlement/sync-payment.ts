import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { settleCheckout } from './settle-checkout'
import type { OrderStatus } from '@/lib/orders/rules'
import { syncRefunds } from '@/lib/refunds/sync-refunds'

export type SyncedPayment = OrderStatus | 'unpaid' | 'unknown'

/**
 * Updates the order of a payment with its refunds and disputes. Events arrive in any sequence, so an order whose
 * payment or card fee is not recorded yet is settled first.
 * @returns the status of the order; `unpaid` when it is not paid, and `unknown` when the payment has no order here
 */
export async function syncPayment(ctx: Context, intentId: string): Promise<SyncedPayment> {
  const known = await ctx.db.order.findUnique({ where: { stripePaymentIntentId: intentId } })
  if (known?.paidAt && known.cardFeeCents !== null) return syncRefunds(ctx, known.id)
  const orderId = known?.id ?? (await orderIdOf(ctx, intentId))
  const order = orderId ? await ctx.db.order.findUnique({ where: { id: orderId } }) : null
  const stripeId = order?.stripeSessionId ?? order?.stripePaymentIntentId
  if (!order || !stripeId) return 'unknown'
  await settleCheckout(ctx, stripeId)
  const settled = await ctx.db.order.findUniqueOrThrow({ where: { id: order.id } })
  return settled.paidAt ? syncRefunds(ctx, order.id) : 'unpaid'
}

async function orderIdOf(ctx: Context, intentId: string): Promise<string | null> {
  try {
    return (await ctx.stripe().paymentIntents.retrieve(intentId)).metadata.orderId ?? null
  } catch (error) {
    if (isStripeMissing(error)) return null
    throw error
  }
}
