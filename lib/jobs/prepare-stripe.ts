import 'server-only'
import { type Context, systemContext } from '@/lib/infra/context'
import { isStripeKeyRefused } from '@/lib/infra/stripe-errors'
import { registerPaymentDomain } from '@/lib/checkout/register-payment-domain'
import { ensurePortalConfiguration } from '@/lib/subscriptions/ensure-portal-configuration'

/**
 * Registers our domain for wallets and configures the billing portal at Stripe, if that has not been done yet, and
 * reports on Stripe Tax if it is on. It runs when the application starts. A failure is only logged as a warning,
 * because drops can be sold without either. Only a refused key is an error, because nothing can be sold with it. The
 * application starts anyway, so that a key that was replaced in the Dashboard does not take the pages of sellers and
 * buyers down.
 */
export async function prepareStripe(ctx: Context = systemContext('prepare-stripe')): Promise<void> {
  if (ctx.payments === 'off') return
  const steps = {
    'the domain for wallets': registerPaymentDomain,
    'the billing portal': ensurePortalConfiguration,
    ...(ctx.hasStripeTax ? { 'Stripe Tax': reportTax } : {}),
  }
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

/**
 * Says in the log what STRIPE_TAX does, and whether Stripe can calculate. While it cannot, Stripe refuses every
 * checkout, so that no sale is made without its tax.
 */
async function reportTax(ctx: Context): Promise<void> {
  const { status } = await ctx.stripe().tax.settings.retrieve()
  if (status === 'active') {
    ctx.log.info(
      "STRIPE_TAX is on: buyers pay on Stripe's page only, and the tax in each price is kept from the payout",
    )
    return
  }
  ctx.log.error(
    'STRIPE_TAX is on, but the tax settings at Stripe are not complete, so nothing can be sold: complete them (Dashboard, Settings, Tax), or unset STRIPE_TAX',
  )
}
