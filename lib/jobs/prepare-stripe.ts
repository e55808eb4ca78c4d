import 'server-only'
import { type Context, systemContext } from '@/lib/infra/context'
import { isStripeKeyRefused } from '@/lib/infra/stripe-errors'
import { registerPaymentDomain } from '@/lib/orders/register-payment-domain'
import { ensurePortalConfiguration } from '@/lib/subscriptions/ensure-portal-configuration'

/**
 * Registers our domain for wallets and configures the billing portal at Stripe, if that has not been done yet. It runs
 * when the application starts. A failure is only logged as a warning, because drops can be sold without either. Only a
 * refused key is an error, because nothing can be sold with it. The application starts anyway, so that a key that was
 * replaced in the Dashboard does not take the pages of sellers and buyers down.
 */
export async function prepareStripe(ctx: Context = systemContext('prepare-stripe')): Promise<void> {
  if (ctx.payments === 'off') return
  const steps = { 'the domain for wallets': registerPaymentDomain, 'the billing portal': ensurePortalConfiguration }
  for (const [name, prepare] of Object.entries(steps)) {
    try {
      await prepare(ctx)
    } catch (error) {
      if (isStripeKeyRefused(error)) {
        ctx.log.error('Stripe refuses STRIPE_SECRET_KEY, so nothing can be sold: replace it and start again')
        return
      }
      ctx.log.warn({ cause: String(error) }, `Stripe: ${name} is not set up; npm run stripe:check says what to do`)
    }
  }
}
