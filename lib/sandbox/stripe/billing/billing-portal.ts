import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { bool, clearableText, expandable, mergeMetadata, metadata, readParams, text, webUrl } from '../params'

const CONFIGURATIONS = '/v1/billing_portal/configurations'

const sessionParams = z.strictObject({
  customer: text(255),
  configuration: text(255).optional(),
  return_url: webUrl().optional(),
  locale: text(10).optional(),
  expand: expandable(),
})

/**
 * Opens the portal. Without a configuration, Stripe uses the default one. The default exists only after someone has
 * saved the portal's settings in the Dashboard, once per mode. The sandbox has no Dashboard, so a session always has to
 * name its configuration.
 */
async function createSession({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(sessionParams, params)
  if (!(await tx.find('customer', input.customer))) throw noSuch('customer', input.customer, 'customer')
  const mode = settings.isLive ? 'live' : 'test'
  if (input.configuration === undefined) {
    throw invalidRequest(
      `No configuration provided and your ${mode} mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in ${mode} mode at https://dashboard.stripe.com/${settings.isLive ? '' : 'test/'}settings/billing/portal.`,
    )
  }
  const configuration = await tx.find('billing_portal.configuration', input.configuration)
  if (!configuration) throw noSuch('configuration', input.configuration, 'configuration')
  if (!configuration.active) {
    throw invalidRequest('The configuration is inactive and cannot be used.', { param: 'configuration' })
  }
  const id = stripeId('bps')
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: unixSeconds(tx.now()),
    customer: input.customer,
    customer_account: null,
    flow: null,
    livemode: settings.isLive,
    locale: null,
    on_behalf_of: null,
    return_url: input.return_url ?? configuration.default_return_url,
    url: `${settings.appUrl}/sandbox/billing/${id}`,
  }
  await tx.insert(session)
  return { body: session }
}

const features = z.strictObject({
  customer_update: z
    .strictObject({ enabled: bool().optional(), allowed_updates: z.array(text(50)).max(10).optional() })
    .optional(),
  invoice_history: z.strictObject({ enabled: bool() }).optional(),
  payment_method_update: z.strictObject({ enabled: bool() }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: bool(),
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
    })
    .optional(),
})

const profile = z.strictObject({
  headline: clearableText(60).optional(),
  privacy_policy_url: webUrl().optional(),
  terms_of_service_url: webUrl().optional(),
})

const configurationParams = {
  business_profile: profile.optional(),
  default_return_url: webUrl().optional(),
  name: clearableText(100).optional(),
  metadata: metadata(),
  expand: expandable(),
}

function toFeatures(input: z.output<typeof features>): Stripe.BillingPortal.Configuration.Features {
  return {
    customer_update: {
      allowed_updates: (input.customer_update?.allowed_updates ??
        []) as Stripe.BillingPortal.Configuration.Features.CustomerUpdate['allowed_updates'],
      enabled: input.customer_update?.enabled ?? false,
    },
    invoice_history: { enabled: input.invoice_history?.enabled ?? false },
    payment_method_update: {
      enabled: input.payment_method_update?.enabled ?? false,
      payment_method_configuration: null,
    },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: [], options: [] },
      enabled: input.subscription_cancel?.enabled ?? false,
      mode: input.subscription_cancel?.mode ?? 'at_period_end',
      proration_behavior: input.subscription_cancel?.proration_behavior ?? 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'interval_options' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      enabled: false,
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
    },
  }
}

async function createConfiguration({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(z.strictObject({ ...configurationParams, features }), params)
  const created = unixSeconds(tx.now())
  const configuration: Stripe.BillingPortal.Configuration = {
    id: stripeId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: input.business_profile?.headline ?? null,
      privacy_policy_url: input.business_profile?.privacy_policy_url ?? null,
      terms_of_service_url: input.business_profile?.terms_of_service_url ?? null,
    },
    created,
    default_return_url: input.default_return_url ?? null,
    features: toFeatures(input.features),
    is_default: false,
    livemode: settings.isLive,
    login_page: { enabled: false, url: null },
    metadata: mergeMetadata({}, input.metadata),
    name: input.name ?? null,
    updated: created,
  }
  await tx.insert(configuration)
  return { body: configuration }
}

async function updateConfiguration({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(
    z.strictObject({ ...configurationParams, features: features.optional(), active: bool().optional() }),
    params,
  )
  const configuration = await tx.lock('billing_portal.configuration', id)
  if (!configuration) throw noSuch('configuration', id)
  if (input.active !== undefined) configuration.active = input.active
  if (input.features) configuration.features = toFeatures(input.features)
  if (input.name !== undefined) configuration.name = input.name
  configuration.metadata = mergeMetadata(configuration.metadata, input.metadata)
  configuration.updated = unixSeconds(tx.now())
  await tx.save(configuration)
  return { body: configuration }
}

const listParams = z.strictObject({ ...pageParams, active: bool().optional(), is_default: bool().optional() })

export const billingPortal: Resource = {
  routes: [
    { method: 'POST', path: '/v1/billing_portal/sessions', run: createSession },
    { method: 'POST', path: CONFIGURATIONS, run: createConfiguration },
    {
      method: 'GET',
      path: CONFIGURATIONS,
      run: async ({ tx, params }) => {
        const { active, is_default, ...page } = readParams(listParams, params)
        const contains = { ...(active !== undefined && { active }), ...(is_default !== undefined && { is_default }) }
        return { body: await listObjects(tx, 'billing_portal.configuration', CONFIGURATIONS, page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: `${CONFIGURATIONS}/:id`,
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const configuration = await tx.find('billing_portal.configuration', id)
        if (!configuration) throw noSuch('configuration', id)
        return { body: configuration }
      },
    },
    { method: 'POST', path: `${CONFIGURATIONS}/:id`, run: updateConfiguration },
  ],
}
