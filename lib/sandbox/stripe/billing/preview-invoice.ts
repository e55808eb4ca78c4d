import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { applyPrice } from './apply-price'
import { isSubscriptionOver, itemOf } from './build-subscription'
import type { Call, Reply } from '../call'
import { bool, expandable, integer, readParams, text } from '../params'
import { invalidRequest, noSuch } from '../stripe-fault'

const changeParams = z.strictObject({
  items: z.array(z.strictObject({ id: text(255), price: text(255) })).length(1),
  // With other values, the preview also contains the next renewal, which the stand-in does not compute.
  proration_behavior: z.literal('always_invoice'),
  billing_cycle_anchor: z.strictObject({ type: z.enum(['now', 'unchanged']) }).optional(),
  cancel_at_period_end: bool().optional(),
  cancel_at: z.union([z.literal(''), integer()]).optional(),
})

const previewParams = z.strictObject({
  customer: text(255).optional(),
  subscription: text(255),
  subscription_details: changeParams,
  expand: expandable(),
})

/**
 * Returns the invoice that a change of a subscription's price would create now. Nothing is stored: the invoice is in no
 * list, has no number and cannot be paid, and the customer keeps the whole credit
 * (docs.stripe.com/api/invoices/create_preview).
 */
export async function previewInvoice({ tx, params }: Call): Promise<Reply> {
  const { customer, subscription: id, subscription_details: change } = readParams(previewParams, params)
  const stored = await tx.find('subscription', id)
  if (!stored || (customer !== undefined && customer !== stored.customer))
    throw noSuch('subscription', id, 'subscription')
  if (isSubscriptionOver(stored)) throw invalidRequest('You cannot preview an invoice of a canceled subscription.')
  if (change.cancel_at !== undefined && change.cancel_at_period_end !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: cancel_at, cancel_at_period_end.')
  }
  const subscription = structuredClone(stored)
  const [{ id: itemId, price } = { id: '', price: '' }] = change.items
  if (itemId !== itemOf(subscription).id)
    throw noSuch('subscription item', itemId, 'subscription_details[items][0][id]')
  const applied = await applyPrice(tx, subscription, price, change)
  if (!applied) throw invalidRequest('Nothing to invoice for this subscription.', { code: 'invoice_upcoming_none' })
  return { body: notCreated(applied.invoice) }
}

/** An invoice as a preview shows it. What depends on its being finalized is unknown. */
function notCreated(invoice: Stripe.Invoice): Stripe.Invoice {
  return {
    ...invoice,
    id: `upcoming_${invoice.id}`,
    ending_balance: null,
    number: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  }
}
