import 'server-only'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { paymentsMode, stripe } from '@/lib/infra/stripe'
import type { UserActor } from '@/lib/kernel/actor'
import { subscriptionError } from './messages'

/**
 * Stripe's own page for cards and invoices; for somebody who never paid there is none, only our page that sells Pro.
 * @returns where to send the browser. @throws PAYMENTS_OFF
 */
export async function openBillingPortal(ctx: Context<UserActor>): Promise<string> {
  if (paymentsMode() === 'off') throw subscriptionError('PAYMENTS_OFF')
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  if (!user.stripeCustomerId) return `${env().appUrl}/subscribe`
  const session = await stripe().billingPortal.sessions.create({
    customer: user.stripeCustomerId,
    return_url: `${env().appUrl}/`,
  })
  return session.url
}
