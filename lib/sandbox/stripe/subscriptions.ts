import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { addPeriod, nextPeriodEnd, unusedCents } from './billing-dates'
import type { Call, Reply, Resource } from './call'
import { invalidRequest, noSuch, StripeFault } from './stripe-fault'
import { emit } from './events'
import { idOf, unixSeconds } from './ids'
import { buildInvoice } from './invoice-object'
import { listObjects, pageParams } from './list'
import { bool, expandable, integer, mergeMetadata, metadata, readParams, text } from './params'
import { chargeInvoice } from './pay-invoice'
import { endSubscription } from './renew-subscriptions'
import type { Tx } from './store'
import { isOver, itemOf, setPrice } from './build-subscription'

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
 * Returns the amount debited for the current period, in cents. Stripe bases credits on this amount, not on the price.
 */
async function debitedCents(tx: Tx, subscription: Stripe.Subscription): Promise<number> {
  const invoice = await tx.find('invoice', idOf(subscription.latest_invoice) ?? '')
  return (invoice?.lines.data ?? []).reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}

/**
 * Changes the price, and credits the rest of the old period unless the caller asks for no proration. The new period
 * begins now and is charged right away. In classic billing mode, each switch resets the billing anchor. In flexible
 * mode, only the caller can reset the anchor. Without a reset, the first period ends on an anniversary of the anchor,
 * and its price is reduced in proportion (docs.stripe.com/billing/subscriptions/billing-mode/compare).
 */
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
  const creditCents =
    input.proration_behavior === 'none' ? 0 : unusedCents(item, await debitedCents(tx, subscription), now)
  const isReset = input.billing_cycle_anchor?.type === 'now' || subscription.billing_mode.type === 'classic'
  if (isReset) subscription.billing_cycle_anchor = now
  const end = isReset ? undefined : nextPeriodEnd(subscription.billing_cycle_anchor, now, price.recurring)
  setPrice(item, price, now, end)
  const whole = addPeriod(now, price.recurring) - now
  const debitCents = Math.round(((price.unit_amount ?? 0) * Math.min(whole, item.current_period_end - now)) / whole)
  const invoice = buildInvoice(tx, {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: [
      { amountCents: -creditCents, description: 'Unused time', isProration: true },
      { amountCents: debitCents, description: 'New period', isProration: !isReset },
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
  if (isOver(subscription)) {
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
  const contains = {
    ...(customer && { customer }),
    ...(price && { items: { data: [{ price: { id: price } }] } }),
    ...(status && status !== 'all' && status !== 'ended' && { status }),
  }
  const found = await listObjects(tx, 'subscription', '/v1/subscriptions', page, { contains })
  // Without a status, Stripe leaves out only subscriptions with the status `canceled`. Those with `incomplete_expired`,
  // whose first payment was never made, are listed, although the status `ended` includes them too.
  const data = found.data.filter((subscription) =>
    status === 'ended' ? isOver(subscription) : status ? true : subscription.status !== 'canceled',
  )
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
        if (isOver(subscription)) throw noSuch('subscription', id)
        await endSubscription(tx, subscription, 'cancellation_requested')
        return { body: subscription }
      },
    },
  ],
}
