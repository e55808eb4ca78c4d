import 'server-only'
import type { Context } from '@/lib/infra/context'
import { closeCheckout } from './close-checkout'

/**
 * Releases the unit at once when the buyer returns from the card page without paying. A hold that has given its units back
 * already could still be paid (ADR 0050); its session is closed, too. An order that was paid in the meantime, or that does
 * not exist, is left alone.
 * @returns the discount code of the order; null without one
 */
export async function cancelCheckout(ctx: Context, token: string): Promise<string | null> {
  const order = await ctx.db.order.findUnique({ where: { token }, include: { hold: true } })
  if (!order || ctx.payments === 'off') return null
  const isYielded = order.status === 'expired' && order.hold.state === 'released' && order.hold.reason === 'yielded'
  if (order.status !== 'pending' && !isYielded) return order.discountCode
  const stripeId = order.stripeSessionId ?? order.stripePaymentIntentId
  await closeCheckout(ctx, { holdId: order.holdId, stripeId }, 'cancelled')
  return order.discountCode
}
