import 'server-only'
import type { Context } from '@/lib/infra/context'
import { closeCheckout } from './close-checkout'

/**
 * The buyer came back from the card page without paying: the unit is free again at once. What was paid meanwhile, or
 * is not there, stays as it is.
 */
export async function cancelCheckout(ctx: Context, token: string): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token } })
  if (!order || order.status !== 'pending' || ctx.payments === 'off') return
  const stripeId = order.stripeSessionId ?? order.stripePaymentIntentId
  await closeCheckout(ctx, { holdId: order.holdId, stripeId }, 'cancelled')
}
