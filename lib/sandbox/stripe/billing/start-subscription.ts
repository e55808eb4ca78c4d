import 'server-only'
import type Stripe from 'stripe'
import { emit } from '../events/events'
import { idOf } from '../ids'
import { buildInvoice } from './invoice-object'
import type { CheckoutPlan } from '../objects'
import { markInvoicePaid } from './pay-invoice'
import type { Tx } from '../store'
import { buildSubscription, itemOf } from './build-subscription'

/**
 * Stores the subscription and the first invoice of a paid session in subscription mode, marks the invoice as paid and
 * sends the events. Changes `session`, which the caller saves.
 */
export async function startSubscription(
  tx: Tx,
  session: Stripe.Checkout.Session,
  plan: CheckoutPlan,
  method: Stripe.PaymentMethod,
): Promise<void> {
  const [line] = plan.lineItems
  const customer = await tx.lock('customer', idOf(session.customer) ?? '')
  if (!line?.price || !customer || !plan.subscription) throw new Error('a subscription needs a price and a customer')
  const subscription = buildSubscription(tx, {
    customerId: customer.id,
    price: line.price,
    quantity: line.quantity ?? 1,
    paymentMethodId: method.id,
    metadata: plan.subscription.metadata,
    description: plan.subscription.description,
    status: 'active',
  })
  const item = itemOf(subscription)
  const invoice = buildInvoice(tx, {
    customer,
    subscription,
    reason: 'subscription_create',
    lines: [{ amountCents: line.amount_total, description: line.description ?? '', isProration: false }],
    period: { start: item.current_period_start, end: item.current_period_end },
  })
  subscription.latest_invoice = invoice.id
  method.customer = customer.id
  await tx.save(method)
  await tx.save(customer)
  await tx.insert(invoice)
  await tx.insert(subscription)
  await emit(tx, 'customer.subscription.created', subscription)
  await emit(tx, 'invoice.created', invoice)
  await emit(tx, 'invoice.finalized', invoice)
  await markInvoicePaid(tx, invoice, plan.subscription.intentId)
  session.subscription = subscription.id
  session.invoice = invoice.id
}
