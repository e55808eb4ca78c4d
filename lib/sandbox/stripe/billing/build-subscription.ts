import 'server-only'
import type Stripe from 'stripe'
import { addPeriod } from './billing-dates'
import { idOf, stripeId, unixSeconds } from '../ids'
import type { Tx } from '../store'

/** Builds the older plan object, which Stripe still shows beside the price. */
function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: null,
    product: idOf(price.product as string),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/**
 * Sets the price of an item for a period from `start` to `end`, in Unix seconds. Without an end, the period has the
 * full length.
 */
export function setPrice(
  item: Stripe.SubscriptionItem,
  price: Stripe.Price,
  start: number,
  end = addPeriod(start, price.recurring),
): void {
  item.price = price
  item.plan = planOf(price)
  item.current_period_start = start
  item.current_period_end = end
}

/** Whether a subscription has ended and cannot be resumed. */
export function isSubscriptionOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** Returns the only item of a subscription, because a subscription has only one price in the sandbox. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error(`subscription ${subscription.id} has no item`)
  return item
}

type NewSubscription = {
  customerId: string
  price: Stripe.Price
  quantity: number
  paymentMethodId: string | null
  metadata: Stripe.Metadata
  description: string | null
  status: 'active' | 'incomplete'
}

/** Builds the only item of a subscription that begins at `created`, in Unix seconds. */
function buildItem(
  subscriptionId: string,
  created: number,
  { price, quantity }: Pick<NewSubscription, 'price' | 'quantity'>,
): Stripe.SubscriptionItem {
  return {
    id: stripeId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_start: created,
    current_period_end: addPeriod(created, price.recurring),
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription: subscriptionId,
    tax_rates: [],
  }
}

/** Builds a subscription that begins now. The caller stores it together with its first invoice. */
export function buildSubscription(tx: Tx, input: NewSubscription): Stripe.Subscription {
  const created = unixSeconds(tx.now())
  const id = stripeId('sub')
  const item = buildItem(id, created, input)
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    // This mode is the default since the API version 2025-09-30
    // (docs.stripe.com/billing/subscriptions/billing-mode/compare).
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency: 'usd',
    customer: input.customerId,
    customer_account: null,
    days_until_due: null,
    default_payment_method: input.paymentMethodId,
    default_source: null,
    default_tax_rates: [],
    description: input.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data: [item], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'on_subscription',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: input.status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  }
}
