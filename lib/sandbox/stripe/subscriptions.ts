import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { unusedCents } from './billing-dates'
import type { Call, Reply, Resource } from './call'
import { invalidRequest, noSuch, StripeFault } from './errors'
import { emit } from './events'
import { idOf, unixSeconds } from './ids'
import { buildInvoice } from './invoice-object'
import { listObjects, pageParams } from './list'
import { bool, expandable, integer, mergeMetadata, metadata, readParams, text } from './params'
import { chargeInvoice } from './pay-invoice'
import { endSubscription } from './renew-subscriptions'
import type { Tx } from './store'
import { itemOf, setPrice } from './subscription-object'

const STATUSES = ['active', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'trialing', 'unpaid'] as const

const updateParams = z.strictObject({
  cancel_at_period_end: bool().optional(),
  default_payment_method: text(255).optional(),
  items: z
    .array(z.strictObject({ id: text(255), price: text(255).optional(), quantity: integer().optional() }))
    .max(1)
    .optional(),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .optional(),
  metadata: metadata(),
  expand: expandable(),
})

type UpdateInput = z.output<typeof updateParams>

async function getLocked(tx: Tx, id: string): Promise<Stripe.Subscription> {
  const subscription = await tx.lock('subscription', id)
  if (!subscription) throw noSuch('subscription', id, 'id')
  return subscription
}

/** Changes the price. When the period's length changes, a new period begins at once and the old one's rest is credited. */
async function switchPrice(
  tx: Tx,
  subscription: Stripe.Subscription,
  priceId: string,
  input: UpdateInput,
): Promise<void> {
  const item = itemOf(subscription)
  const price = await tx.find('price', priceId)
  if (!price) throw noSuch('price', priceId, 'items[0][price]')
  if (!price.recurring) {
    throw invalidRequest('The price specified is set to `type=one_time` but this field only accepts recurring prices.')
  }
  if (price.id === item.price.id) return
  const customer = await tx.lock('customer', idOf(subscription.customer) ?? '')
  if (!customer) throw noSuch('customer', String(subscription.customer))
  const now = unixSeconds(tx.now())
  const creditCents = input.proration_behavior === 'none' ? 0 : unusedCents(item, now)
  setPrice(item, price, now)
  subscription.billing_cycle_anchor = now
  const invoice = buildInvoice(tx, {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: [
      { amountCents: -creditCents, description: 'Unused time', isProration: true },
      { amountCents: price.unit_amount ?? 0, description: 'New period', isProration: false },
    ],
    period: { start: item.current_period_start, end: item.current_period_end },
  })
  subscription.latest_invoice = invoice.id
  await tx.save(customer)
  await tx.insert(invoice)
  await emit(tx, 'invoice.created', invoice)
  const failure = await chargeInvoice(tx, invoice, subscription)
  if (failure && input.payment_behavior === 'error_if_incomplete') throw new StripeFault(402, failure)
  if (failure) subscription.status = 'past_due'
}

async function update({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(updateParams, params)
  const subscription = await getLocked(tx, id)
  if (subscription.status === 'canceled') {
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const previous = { cancel_at_period_end: subscription.cancel_at_period_end, status: subscription.status }
  const change = input.items?.[0]
  if (change && change.id !== itemOf(subscription).id) throw noSuch('subscription item', change.id, 'items[0][id]')
  if (change?.price !== undefined) await switchPrice(tx, subscription, change.price, input)
  if (input.cancel_at_period_end !== undefined) setCancelAtEnd(tx, subscription, input.cancel_at_period_end)
  if (input.default_payment_method !== undefined) subscription.default_payment_method = input.default_payment_method
  subscription.metadata = mergeMetadata(subscription.metadata, input.metadata)
  await tx.save(subscription)
  await emit(tx, 'customer.subscription.updated', subscription, previous)
  return { body: subscription }
}

/** `subscription` is changed; the caller saves it. */
export function setCancelAtEnd(tx: Tx, subscription: Stripe.Subscription, isCanceling: boolean): void {
  subscription.cancel_at_period_end = isCanceling
  subscription.canceled_at = isCanceling ? unixSeconds(tx.now()) : null
  subscription.cancel_at = isCanceling ? itemOf(subscription).current_period_end : null
}

const listParams = z.strictObject({
  ...pageParams,
  customer: text(255).optional(),
  price: text(255).optional(),
  status: z.enum([...STATUSES, 'all', 'ended']).optional(),
})

async function list({ tx, params }: Call): Promise<Reply> {
  const { customer, status, price, ...page } = readParams(listParams, params)
  const contains = {
    ...(customer && { customer }),
    ...(price && { items: { data: [{ price: { id: price } }] } }),
    ...(status && status !== 'all' && { status: status === 'ended' ? 'canceled' : status }),
  }
  const found = await listObjects(tx, 'subscription', '/v1/subscriptions', page, { contains })
  // Without a status, Stripe leaves out ended subscriptions.
  const data = status ? found.data : found.data.filter((subscription) => subscription.status !== 'canceled')
  return { body: { ...found, data } }
}

export const subscriptions: Resource = {
  routes: [
    { method: 'GET', path: '/v1/subscriptions', run: list },
    {
      method: 'GET',
      path: '/v1/subscriptions/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const subscription = await tx.find('subscription', id)
        if (!subscription) throw noSuch('subscription', id)
        return { body: subscription }
      },
    },
    { method: 'POST', path: '/v1/subscriptions/:id', run: update },
    {
      method: 'DELETE',
      path: '/v1/subscriptions/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ invoice_now: bool().optional(), prorate: bool().optional() }), params)
        const subscription = await getLocked(tx, id)
        if (subscription.status === 'canceled') throw noSuch('subscription', id)
        await endSubscription(tx, subscription, 'cancellation_requested')
        return { body: subscription }
      },
    },
  ],
}
