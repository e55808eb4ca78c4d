import 'server-only'
import type { Context } from '@/lib/infra/context'
import { hourlyKey, onceKeyIsFree } from '@/lib/infra/stripe-keys'

/**
 * Registers our domain at Stripe, or enables it, if this was not done before. Live mode and test mode have separate
 * registrations. Without one, Stripe's form shows no wallets such as Apple Pay
 * (docs.stripe.com/payments/payment-methods/pmd-registration). Wallets need https, so other origins are skipped.
 * @returns the domain; null when there is nothing to register.
 */
export async function registerPaymentDomain(ctx: Context): Promise<string | null> {
  const { protocol, hostname } = new URL(ctx.appUrl)
  if (protocol !== 'https:') return null
  const domains = ctx.stripe().paymentMethodDomains
  const [known] = (await domains.list({ domain_name: hostname, limit: 1 })).data
  if (!known) {
    const idempotencyKey = hourlyKey(`payment-domain-${hostname}`, ctx.clock.now())
    await onceKeyIsFree(() => domains.create({ domain_name: hostname }, { idempotencyKey }))
  } else if (!known.enabled) await domains.update(known.id, { enabled: true })
  return hostname
}
