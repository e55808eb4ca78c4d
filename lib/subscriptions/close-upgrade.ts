import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'

/**
 * Closes the open payment page for Pro of a user whose account was closed. A payment that is made at the same moment is
 * refunded by sweepSubscriptions().
 */
export async function closeUpgrade(ctx: Context, userId: number): Promise<void> {
  const open = await ctx.db.upgradeCheckout.findUnique({ where: { userId } })
  if (open?.stripeSessionId && ctx.payments !== 'off') await expireUpgradePage(ctx, open.stripeSessionId)
}

/** Closes a payment page for Pro, so that it can no longer be paid. */
export async function expireUpgradePage(ctx: Context, sessionId: string): Promise<void> {
  try {
    await ctx.stripe().checkout.sessions.expire(sessionId)
  } catch (error) {
    // The page is already paid or closed. The next check at Stripe finds out which.
    if (!isStripeRefusal(error)) throw error
  }
}
