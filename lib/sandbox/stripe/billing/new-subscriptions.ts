import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch, StripeFault } from '../stripe-fault'
import { emit } from '../events/events'
import { idOf } from '../ids'
import { buildInvoice } from './invoice-object'
import { expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import { chargeInvoice } from './pay-invoice'
import { buildSubscription, itemOf } from './build-subscription'
import { atClockOf } from './test-clocks'

const createParams = z.strictObject({
  customer: text(255),
  items: z
    .array(z.strictObject({ price: text(255), quantity: integer().optional() }))
    .min(1)
    .max(1),
  default_payment_method: text(255).optional(),
  description: text(500).optional(),
  payment_behavior: z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']).optional(),
  metadata: metadata(),
  expand: expandable(),
})

/** Creates a subscription without a checkout session. The customer's stored card pays for the first period. */
async function create({ tx: realTime, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  const customer = await realTime.lock('customer', input.customer)
  if (!customer) throw noSuch('customer', input.customer, 'customer')
  const tx = await atClockOf(realTime, customer)
  const [wanted] = input.items
  const price = await tx.find('price', wanted?.price ?? '')
  if (!price) throw noSuch('price', wanted?.price ?? '', 'items[0][price]')
  const methodId = input.default_payment_method ?? idOf(customer.invoice_settings.default_payment_method)
  if (!methodId) {
    throw invalidRequest('This customer has no attached payment source or default payment method.', {
      code: 'resource_missing',
    })
  }
  const subscription: Stripe.Subscription = {
    ...buildSubscription(tx, {
      customerId: customer.id,
      price,
      quantity: wanted?.quantity ?? 1,
      paymentMethodId: methodId,
      metadata: mergeMetadata({}, input.metadata),
      description: input.description ?? null,
      status: 'active',
    }),
    test_clock: customer.test_clock ?? null,
  }
  const item = itemOf(subscription)
  const invoice = buildInvoice(tx, {
    customer,
    subscription,
    reason: 'subscription_create',
    lines: [
      { amountCents: (price.unit_amount ?? 0) * (item.quantity ?? 1), description: 'First period', isProration: false },
    ],
    period: { start: item.current_period_start, end: item.current_period_end },
  })
  subscription.latest_invoice = invoice.id
  await tx.save(customer)
  await tx.insert(invoice)
  await tx.insert(subscription)
  await emit(tx, 'customer.subscription.created', subscription)
  await emit(tx, 'invoice.created', invoice)
  await emit(tx, 'invoice.finalized', invoice)
  const failure = await chargeInvoice(tx, invoice, subscription)
  if (failure && input.payment_behavior === 'error_if_incomplete') throw new StripeFault(402, failure)
  if (failure) subscription.status = 'incomplete'
  await tx.save(subscription)
  return { body: subscription }
}

export const newSubscriptions: Resource = { routes: [{ method: 'POST', path: '/v1/subscriptions', run: create }] }
