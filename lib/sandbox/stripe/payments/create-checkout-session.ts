import 'server-only'
import type Stripe from 'stripe'
import { toShipping } from '../address'
import type { Call, Reply } from '../call'
import { createPrice } from '../billing/catalog'
import { createSessionParams, type CreateSessionInput } from './checkout-session-params'
import { invalidRequest, noSuch } from '../stripe-fault'
import { idOf, stripeId, unixSeconds } from '../ids'
import { mergeMetadata, readParams } from '../params'
import type { CheckoutPlan, PaymentIntentData } from '../objects'
import { requireChargeable } from './payment-intent-object'
import type { Tx } from '../store'
import { automaticTax, requireTaxable } from './taxes'

const MIN_LIFETIME_SECONDS = 30 * 60
const MAX_LIFETIME_SECONDS = 24 * 60 * 60
const MAX_QUANTITY = 999_999

type LineItemInput = CreateSessionInput['line_items'][number]

/** Finds the price that a line item names, or creates one when the line item defines its price inline. */
async function priceOf(tx: Tx, input: LineItemInput, index: number): Promise<{ price: Stripe.Price; name: string }> {
  if (input.price !== undefined) {
    const price = await tx.find('price', input.price)
    if (!price) throw noSuch('price', input.price, `line_items[${index}][price]`)
    return { price, name: (await tx.find('product', idOf(price.product) ?? ''))?.name ?? '' }
  }
  if (!input.price_data) {
    throw invalidRequest('One of the following params should be provided: price, price_data.', {
      code: 'parameter_missing',
      param: `line_items[${index}][price]`,
    })
  }
  const { unit_amount: unitAmountCents, product_data: product, recurring, tax_behavior: taxBehavior } = input.price_data
  const price = await createPrice(tx, {
    unitAmountCents,
    productName: product.name,
    productDescription: product.description,
    productImages: product.images ?? [],
    productMetadata: mergeMetadata({}, product.metadata),
    taxCode: product.tax_code,
    taxBehavior,
    recurring,
  })
  return { price, name: product.name }
}

async function createLineItem(tx: Tx, input: LineItemInput, index: number): Promise<Stripe.LineItem> {
  const quantity = input.quantity ?? 1
  const unitAmountCents = input.price_data?.unit_amount ?? 0
  if (unitAmountCents < 0 || quantity < 1 || quantity > MAX_QUANTITY) {
    const name = unitAmountCents < 0 ? 'price_data][unit_amount' : 'quantity'
    throw invalidRequest('Invalid integer: out of bounds.', {
      code: 'parameter_invalid_integer',
      param: `line_items[${index}][${name}]`,
    })
  }
  const { price, name } = await priceOf(tx, input, index)
  const amount = (price.unit_amount ?? 0) * quantity
  return {
    id: stripeId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: 'usd',
    description: name,
    metadata: mergeMetadata({}, input.metadata),
    price,
    quantity,
  }
}

function readExpiry(tx: Tx, asked: number | undefined): number {
  const created = unixSeconds(tx.now())
  const expiresAt = asked ?? created + MAX_LIFETIME_SECONDS
  if (expiresAt < created + MIN_LIFETIME_SECONDS) {
    throw invalidRequest('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    })
  }
  if (expiresAt > created + MAX_LIFETIME_SECONDS) {
    throw invalidRequest('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
  }
  return expiresAt
}

async function findCustomer(tx: Tx, input: CreateSessionInput): Promise<Stripe.Customer | null> {
  if (input.customer === undefined) return null
  if (input.customer_email !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.')
  }
  const customer = await tx.find('customer', input.customer)
  if (!customer) throw noSuch('customer', input.customer, 'customer')
  return customer
}

function toIntentData(input: CreateSessionInput['payment_intent_data']): PaymentIntentData {
  return {
    description: input?.description,
    metadata: mergeMetadata({}, input?.metadata),
    receipt_email: input?.receipt_email,
    shipping: input?.shipping && toShipping(input.shipping),
    statement_descriptor: input?.statement_descriptor,
    statement_descriptor_suffix: input?.statement_descriptor_suffix,
    transfer_group: input?.transfer_group,
    capture_method: input?.capture_method,
  }
}

function buildSession(
  input: CreateSessionInput,
  customer: Stripe.Customer | null,
  dates: { created: number; expiresAt: number },
  amountCents: number,
  appUrl: string,
): Stripe.Checkout.Session {
  const id = stripeId('cs_test')
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: input.allow_promotion_codes ?? null,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: amountCents,
    amount_total: amountCents,
    automatic_tax: automaticTax(input),
    billing_address_collection: input.billing_address_collection ?? null,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    client_secret: null,
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    consent: null,
    consent_collection: null,
    created: dates.created,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: input.custom_text?.after_submit ?? null,
      shipping_address: input.custom_text?.shipping_address ?? null,
      submit: input.custom_text?.submit ?? null,
      terms_of_service_acceptance: input.custom_text?.terms_of_service_acceptance ?? null,
    },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: input.mode === 'subscription' ? null : (input.customer_creation ?? 'if_required'),
    customer_details: knownCustomerDetails(input, customer),
    customer_email: input.customer_email ?? null,
    discounts: [],
    expires_at: dates.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: input.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata({}, input.metadata),
    mode: input.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: input.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: input.phone_number_collection?.enabled ?? false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: input.shipping_address_collection ?? null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: input.submit_type ?? null,
    subscription: null,
    success_url: input.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${appUrl}/sandbox/checkout/${id}`,
    wallet_options: null,
  }
}

function knownCustomerDetails(input: CreateSessionInput, customer: Stripe.Customer | null) {
  const email = input.customer_email ?? customer?.email ?? null
  if (email === null && !customer) return null
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name: customer?.name ?? null,
    phone: customer?.phone ?? null,
    tax_exempt: 'none',
    tax_ids: null,
  } satisfies Stripe.Checkout.Session.CustomerDetails
}

/** Refuses prices and parameters that do not fit the session's mode, and a subscription with more than one item. */
function requireRightMode(input: CreateSessionInput, items: readonly Stripe.LineItem[]): void {
  const isSubscription = input.mode === 'subscription'
  if (items.some((item) => (item.price?.type === 'recurring') !== isSubscription)) {
    throw invalidRequest(
      isSubscription
        ? 'You must provide at least one recurring price in `subscription` mode when using prices.'
        : 'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      { param: isSubscription ? 'line_items' : 'mode' },
    )
  }
  if (isSubscription && items.length > 1) {
    throw invalidRequest('This sandbox takes one recurring price per session.', { param: 'line_items' })
  }
  if (isSubscription && (input.payment_intent_data ?? input.customer_creation) !== undefined) {
    const name = input.payment_intent_data ? 'payment_intent_data' : 'customer_creation'
    throw invalidRequest(`You can not pass \`${name}\` in \`subscription\` mode.`, { param: name })
  }
  if (!isSubscription && input.subscription_data) {
    throw invalidRequest('You can not pass `subscription_data` in `payment` mode.', { param: 'subscription_data' })
  }
}

/** Handles POST /v1/checkout/sessions. */
export async function createCheckoutSession({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(createSessionParams, params)
  const dates = { created: unixSeconds(tx.now()), expiresAt: readExpiry(tx, input.expires_at) }
  const customer = await findCustomer(tx, input)
  const lineItems: Stripe.LineItem[] = []
  for (const [index, item] of input.line_items.entries()) lineItems.push(await createLineItem(tx, item, index))
  requireRightMode(input, lineItems)
  if (input.automatic_tax?.enabled) requireTaxable(settings, lineItems, customer)
  const amountCents = lineItems.reduce((sum, item) => sum + item.amount_total, 0)
  requireChargeable(amountCents, 'line_items')
  const session = buildSession(input, customer, dates, amountCents, settings.appUrl)
  const plan: CheckoutPlan = {
    id: `${session.id}~plan`,
    object: '~checkout_plan',
    lineItems,
    paymentIntentData: toIntentData(input.payment_intent_data),
    createsCustomer: !customer && (input.mode === 'subscription' || input.customer_creation === 'always'),
    subscription:
      input.mode === 'subscription'
        ? {
            metadata: mergeMetadata({}, input.subscription_data?.metadata),
            description: input.subscription_data?.description ?? null,
            intentId: null,
          }
        : null,
    pending: null,
    taxRates: input.automatic_tax?.enabled ? settings.platform.taxRates : null,
  }
  await tx.insert(session)
  await tx.insert(plan)
  return { body: session }
}
