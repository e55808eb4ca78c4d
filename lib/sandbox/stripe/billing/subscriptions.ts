import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { applyPrice } from './apply-price'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch, StripeFault } from '../stripe-fault'
import { emit } from '../events/events'
import { unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { bool, expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import { chargeInvoice } from './pay-invoice'
import { endSubscription } from './renew-subscriptions'
import type { Tx } from '../store'
import { isSubscriptionOver, itemOf } from './build-subscription'

const STATUSES = ['active', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'trialing', 'unpaid'] as const

const updateParams = z.strictObject({
  cancel_at_period_end: bool().optional(),
  cancel_at: z.union([z.literal(''), z.enum(['min_period_end', 'max_period_end']), integer()]).optional(),
  // Stripe changed this parameter to an object in the API version 2026-10-28.
  billing_cycle_anchor: z.strictObject({ type: z.enum(['now', 'unchanged']) }).optional(),
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

/**
 * Charges the invoice of a change of the price, which begins a new period. With `error_if_incomplete`, a declined card
 * undoes the whole change.
 */
async function switchPrice(
  tx: Tx,
  subscription: Stripe.Subscription,
  priceId: string,
  input: UpdateInput,
): Promise<void> {
  const applied = await applyPrice(tx, subscription, priceId, input)
  if (!applied) return
  const { invoice, customer } = applied
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
  if (isSubscriptionOver(subscription)) {
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
  }
  if (input.cancel_at !== undefined && input.cancel_at_period_end !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: cancel_at, cancel_at_period_end.')
  }
  const { cancel_at, cancel_at_period_end, status } = subscription
  const previous = { cancel_at, cancel_at_period_end, status }
  const change = input.items?.[0]
  if (change && change.id !== itemOf(subscription).id) throw noSuch('subscription item', change.id, 'items[0][id]')
  if (change?.price !== undefined) await switchPrice(tx, subscription, change.price, input)
  if (input.cancel_at_period_end !== undefined) setCancelAtEnd(tx, subscription, input.cancel_at_period_end)
  if (input.cancel_at !== undefined) setCancelAt(tx, subscription, input.cancel_at)
  if (input.default_payment_method !== undefined) subscription.default_payment_method = input.default_payment_method
  subscription.metadata = mergeMetadata(subscription.metadata, input.metadata)
  await tx.save(subscription)
  await emit(tx, 'customer.subscription.updated', subscription, previous)
  return { body: subscription }
}

function setCancelAt(tx: Tx, subscription: Stripe.Subscription, at: number | string): void {
  const end = typeof at === 'number' ? at : at === '' ? null : itemOf(subscription).current_period_end
  if (end !== null && end <= unixSeconds(tx.now())) {
    throw invalidRequest('The `cancel_at` timestamp must be in the future.', { param: 'cancel_at' })
  }
  subscription.cancel_at = end
  subscription.cancel_at_period_end = false
  subscription.canceled_at = end === null ? null : unixSeconds(tx.now())
}

/**
 * Cancels or resumes as the billing portal does: with `cancel_at` in flexible billing mode, and with
 * `cancel_at_period_end` in classic mode. Changes `subscription`, which the caller saves.
 */
export function setPortalCancel(tx: Tx, subscription: Stripe.Subscription, isCanceling: boolean): void {
  if (subscription.billing_mode.type === 'classic') return setCancelAtEnd(tx, subscription, isCanceling)
  setCancelAt(tx, subscription, isCanceling ? 'min_period_end' : '')
}

/**
 * Cancels or resumes with `cancel_at_period_end`. Changes `subscription`, which the caller saves. Resuming does not
 * clear a date that was set with `cancel_at`, because Stripe does not document that it would.
 */
function setCancelAtEnd(tx: Tx, subscription: Stripe.Subscription, isCanceling: boolean): void {
  if (!isCanceling && !subscription.cancel_at_period_end) return
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
  if (customer !== undefined && !(await tx.find('customer', customer))) throw noSuch('customer', customer, 'customer')
  const contains = {
    ...(customer && { customer }),
    ...(price && { items: { data: [{ price: { id: price } }] } }),
    ...(status && status !== 'all' && status !== 'ended' && { status }),
  }
  const found = await listObjects(tx, 'subscription', '/v1/subscriptions', page, { contains })
  // Without a status, Stripe leaves out only subscriptions with the status `canceled`. Those with `incomplete_expired`,
  // whose first payment was never made, are listed, although the status `ended` includes them too.
  const data = found.data.filter((subscription) =>
    status === 'ended' ? isSubscriptionOver(subscription) : status ? true : subscription.status !== 'canceled',
  )
  return { body: { ...found, data } }
}

const cancelParams = z.strictObject({
  invoice_now: bool().optional(),
  expand: expandable(),
  prorate: bool().optional(),
  cancellation_details: z.strictObject({ comment: text(5_000).optional() }).optional(),
})

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
        const input = readParams(cancelParams, params)
        const subscription = await getLocked(tx, id)
        if (isSubscriptionOver(subscription)) throw noSuch('subscription', id)
        const comment = input.cancellation_details?.comment
        if (comment !== undefined && subscription.cancellation_details) {
          subscription.cancellation_details.comment = comment
        }
        await endSubscription(tx, subscription, 'cancellation_requested')
        return { body: subscription }
      },
    },
  ],
}
