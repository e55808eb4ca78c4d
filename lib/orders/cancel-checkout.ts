import 'server-only'
import type { Context } from '@/lib/infra/context'
import { closeCheckout } from './close-checkout'

/**
 * Releases the unit at once when the buyer returns from the card page without paying. An order that was paid in the
 * meantime, or that does not exist, is left alone.
 */
export async function cancelCheckout(ctx: Context, token: string): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token } })
  if (!order || order.status !== 'pending' || ctx.payments === 'off') return
  const stripeId = order.stripeSessionId ?? order.stripePaymentIntentId
  await closeCheckout(ctx, { holdId: order.holdId, stripeId }, 'cancelled')
}
