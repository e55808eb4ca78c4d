import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { hourlyKey, onceKeyIsFree } from '@/lib/infra/stripe-keys'

/** Marks the configuration that this code creates. A change of the features below needs a higher number. */
const OURS = '1'

/**
 * Returns the id of the billing portal's configuration, without which Stripe opens no portal. The default configuration
 * exists only after someone has saved the portal's settings in Stripe's Dashboard. Without a default configuration, our
 * own is used, and created if necessary.
 */
export async function ensurePortalConfiguration(ctx: Context): Promise<string> {
  const { data } = await ctx.stripe().billingPortal.configurations.list({ active: true, limit: 100 })
  const known = data.find(({ is_default: isDefault }) => isDefault) ?? data.find(isOurs)
  if (known) return known.id
  // The key contains our URL, because the URL is part of the content, and Stripe refuses a known key with other
  // content.
  const idempotencyKey = hourlyKey(`portal-configuration-${OURS}-${ctx.appUrl}`, ctx.clock.now())
  const created = await onceKeyIsFree(() =>
    ctx.stripe().billingPortal.configurations.create(contentFor(ctx.appUrl), { idempotencyKey }),
  )
  return created.id
}

const isOurs = ({ metadata }: Stripe.BillingPortal.Configuration) => metadata?.lastcall === OURS

function contentFor(appUrl: string): Stripe.BillingPortal.ConfigurationCreateParams {
  const legal = { privacy_policy_url: `${appUrl}/privacy-policy`, terms_of_service_url: `${appUrl}/terms-of-service` }
  return {
    features: {
      customer_update: { enabled: true, allowed_updates: ['name', 'address'] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      // The plan stays until the end of the paid period, as with our own button (docs/product.md#how-pro-ends).
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
    },
    // Stripe accepts only links to public pages.
    ...(appUrl.startsWith('https:') && { business_profile: legal }),
    default_return_url: `${appUrl}/`,
    metadata: { lastcall: OURS },
  }
}
