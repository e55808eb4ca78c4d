import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { ensurePortalConfiguration } from './ensure-portal-configuration'
import { subscriptionError } from './messages'

/**
 * Opens Stripe's page for cards and invoices. A user who is not a customer at Stripe gets our page that sells Pro
 * instead.
 * @returns the URL for the browser.
 * @throws PAYMENTS_OFF
 */
export async function openBillingPortal(ctx: Context<UserActor>): Promise<string> {
  if (ctx.payments === 'off') throw subscriptionError('PAYMENTS_OFF')
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  if (!user.stripeCustomerId) return `${ctx.appUrl}/subscribe`
  const session = await ctx.stripe().billingPortal.sessions.create({
    customer: user.stripeCustomerId,
    configuration: await ensurePortalConfiguration(ctx),
    return_url: `${ctx.appUrl}/`,
  })
  return session.url
}
