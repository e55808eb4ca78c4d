import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from './call'
import { noSuch } from './errors'
import { stripeId, unixSeconds } from './ids'
import { expandable, readParams, text, webUrl } from './params'

const createParams = z.strictObject({
  customer: text(255),
  return_url: webUrl().optional(),
  locale: text(10).optional(),
  expand: expandable(),
})

async function create({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  if (!(await tx.find('customer', input.customer))) throw noSuch('customer', input.customer, 'customer')
  const id = stripeId('bps')
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: unixSeconds(tx.now()),
    customer: input.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: input.return_url ?? null,
    url: `${settings.appUrl}/sandbox/billing/${id}`,
  }
  await tx.insert(session)
  return { body: session }
}

export const billingPortal: Resource = {
  routes: [{ method: 'POST', path: '/v1/billing_portal/sessions', run: create }],
}
