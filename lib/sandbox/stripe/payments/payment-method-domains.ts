import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { bool, expandable, readParams, text } from '../params'

const createParams = z.strictObject({ domain_name: text(253), enabled: bool().optional(), expand: expandable() })

/**
 * Registers a domain on which wallets may be shown (docs.stripe.com/payments/payment-methods/pmd-registration). Returns
 * the existing object for a domain that is already registered.
 */
async function create({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  if (!/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(input.domain_name)) {
    throw invalidRequest('This is not a domain that can be registered.', { param: 'domain_name' })
  }
  const known = await listObjects(tx, 'payment_method_domain', '', {}, { contains: { domain_name: input.domain_name } })
  if (known.data[0]) return { body: known.data[0] }
  const active = { status: 'active' as const }
  const domain: Stripe.PaymentMethodDomain = {
    id: stripeId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active,
    apple_pay: active,
    created: unixSeconds(tx.now()),
    domain_name: input.domain_name,
    enabled: input.enabled ?? true,
    google_pay: active,
    klarna: active,
    link: active,
    livemode: settings.isLive,
    paypal: active,
  }
  await tx.insert(domain)
  return { body: domain }
}

const listParams = z.strictObject({ ...pageParams, domain_name: text(253).optional(), enabled: bool().optional() })

export const paymentMethodDomains: Resource = {
  routes: [
    { method: 'POST', path: '/v1/payment_method_domains', run: create },
    {
      method: 'GET',
      path: '/v1/payment_method_domains',
      run: async ({ tx, params }) => {
        const { domain_name, enabled, ...page } = readParams(listParams, params)
        const contains = { ...(domain_name && { domain_name }), ...(enabled !== undefined && { enabled }) }
        const url = '/v1/payment_method_domains'
        return { body: await listObjects(tx, 'payment_method_domain', url, page, { contains }) }
      },
    },
    {
      method: 'POST',
      path: '/v1/payment_method_domains/:id',
      run: async ({ tx, id, params }) => {
        const { enabled } = readParams(z.strictObject({ enabled: bool().optional(), expand: expandable() }), params)
        const domain = await tx.lock('payment_method_domain', id)
        if (!domain) throw noSuch('payment method domain', id)
        if (enabled !== undefined) domain.enabled = enabled
        await tx.save(domain)
        return { body: domain }
      },
    },
  ],
}
