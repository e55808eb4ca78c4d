import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { upgradeSessionSchema } from './schema'
import { syncSubscription } from './sync-subscription'

/**
 * Updates the plan when the user returns from the payment page, so that a late webhook does not delay Pro. The session
 * is read from Stripe, because the URL of the return page proves nothing. Another user's session has no effect.
 * @returns true if the session is the user's own and complete, and the user is on Pro now.
 */
export async function finishUpgrade(ctx: Context<UserActor>, sessionId: string): Promise<boolean> {
  if (!upgradeSessionSchema.safeParse(sessionId).success || ctx.payments === 'off') return false
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  if (!user.stripeCustomerId) return false
  try {
    const session = await ctx.stripe().checkout.sessions.retrieve(sessionId)
    if (session.customer !== user.stripeCustomerId || session.status !== 'complete') return false
    return (await syncSubscription(ctx, user.stripeCustomerId)) === 'pro'
  } catch (error) {
    if (isStripeMissing(error)) return false
    throw error
  }
}
