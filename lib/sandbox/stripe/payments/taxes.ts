import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Resource, Settings } from '../call'
import type { CreateSessionInput } from './checkout-session-params'
import { pageParams } from '../list'
import type { CheckoutPlan } from '../objects'
import { expandable, readParams } from '../params'
import { invalidRequest } from '../stripe-fault'

/**
 * Stripe Tax (docs.stripe.com/tax): the settings of the platform, its registrations, and the tax of a checkout session.
 */

const head = { city: null, line1: null, line2: null, postal_code: null, state: 'CA' }

function taxSettings({ platform, isLive }: Settings): Stripe.Tax.Settings {
  const isActive = platform.taxRates !== null
  return {
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: isActive ? 'txcd_10000000' : null },
    head_office: isActive ? { address: { ...head, country: platform.country } } : null,
    livemode: isLive,
    status: isActive ? 'active' : 'pending',
    status_details: isActive ? { active: {} } : { pending: { missing_fields: ['head_office', 'defaults.tax_code'] } },
  }
}

function registrations({ platform, isLive }: Settings): Stripe.Tax.Registration[] {
  return Object.keys(platform.taxRates ?? {}).map((country) => ({
    id: `taxreg_${country}`,
    object: 'tax.registration',
    active_from: 0,
    country,
    country_options: {},
    created: 0,
    expires_at: null,
    livemode: isLive,
    status: 'active',
  }))
}

const listParams = z.strictObject({
  ...pageParams,
  status: z.enum(['active', 'all', 'expired', 'scheduled']).optional(),
})

const LIST = '/v1/tax/registrations'

export const taxes: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/tax/settings',
      run: async ({ settings, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        return { body: taxSettings(settings) }
      },
    },
    {
      method: 'GET',
      path: LIST,
      run: async ({ settings, params }) => {
        readParams(listParams, params)
        return { body: { object: 'list', data: registrations(settings), has_more: false, url: LIST } }
      },
    },
  ],
}

/** What a new session says about its tax. */
export function automaticTax(input: CreateSessionInput): Stripe.Checkout.Session.AutomaticTax {
  if (!input.automatic_tax?.enabled) return { enabled: false, liability: null, provider: null, status: null }
  return { enabled: true, liability: { type: 'self' }, provider: 'stripe', status: 'requires_location_inputs' }
}

/**
 * Refuses a session with automatic tax for which Stripe could not calculate: the settings are incomplete, a price does
 * not say whether it contains the tax, or a known customer has no address.
 */
export function requireTaxable(
  settings: Settings,
  items: readonly Stripe.LineItem[],
  customer: Stripe.Customer | null,
): void {
  const mode = settings.isLive ? 'live' : 'test'
  if (settings.platform.taxRates === null) {
    throw invalidRequest(
      `You must have a valid head office address to enable automatic tax calculation in ${mode} mode. Visit https://dashboard.stripe.com/${settings.isLive ? '' : 'test/'}settings/tax to update it.`,
      { param: 'automatic_tax' },
    )
  }
  const open = items.findIndex(({ price }) => price?.tax_behavior === 'unspecified')
  if (open >= 0) {
    throw invalidRequest('You must specify `tax_behavior` for prices that are used with automatic tax.', {
      param: `line_items[${open}][price_data][tax_behavior]`,
    })
  }
  if (customer && !customer.address) {
    throw invalidRequest(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      { code: 'customer_tax_location_invalid', param: 'customer' },
    )
  }
}

/** The tax that a gross amount contains, rounded half up. */
function includedTax(grossCents: number, rateBps: number): number {
  return Math.floor((2 * grossCents * rateBps + 10_000 + rateBps) / (2 * (10_000 + rateBps)))
}

/**
 * Adds the tax to a session that is paid. The stand-in supports prices that contain their tax, so the total stays as it
 * is. Without a registration in the buyer's country there is no tax.
 */
export function addTax(session: Stripe.Checkout.Session, plan: CheckoutPlan, country: string | null): void {
  if (!session.automatic_tax.enabled) return
  const rateBps = plan.taxRates?.[country ?? ''] ?? 0
  for (const item of plan.lineItems) item.amount_tax = includedTax(item.amount_total, rateBps)
  session.automatic_tax.status = 'complete'
  session.total_details = {
    amount_discount: 0,
    amount_shipping: 0,
    amount_tax: plan.lineItems.reduce((sum, item) => sum + item.amount_tax, 0),
  }
}
