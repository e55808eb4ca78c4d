import 'server-only'
import type { Context } from '@/lib/infra/context'
import { closeCheckout } from './close-checkout'

/**
 * Releases the units right away when the buyer returns from the card page without paying. If the hold was yielded, its
 * units are already back on sale, and only its checkout at Stripe is closed, because it could still be paid (ADR 0050).
 * Nothing is released when the order was paid in the meantime, has already ended or does not exist, or when payments
 * are off.
 * @returns the drop and the discount code of the order, if there is one; null for an unknown order, and when payments
 *   are off
 */
export async function cancelCheckout(
  ctx: Context,
  token: string,
): Promise<{ dropId: number; code: string | null } | null> {
  const order = await ctx.db.order.findUnique({ where: { token }, include: { hold: true } })
  if (!order || ctx.payments === 'off') return null
  const { dropId, discountCode: code } = order
  const isYielded = order.status === 'expired' && order.hold.state === 'released' && order.hold.reason === 'yielded'
  if (order.status !== 'pending' && !isYielded) return { dropId, code }
  const stripeId = order.stripeSessionId ?? order.stripePaymentIntentId
  await closeCheckout(ctx, { holdId: order.holdId, stripeId }, 'cancelled')
  return { dropId, code }
}
