import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply } from '../call'
import { emit } from '../events/events'
import { idOf, unixSeconds } from '../ids'
import { expandable, readParams, text } from '../params'
import { resolvePaymentMethod } from '../payments/payment-methods'
import { invalidRequest, noSuch, StripeFault } from '../stripe-fault'
import type { Tx } from '../store'
import { chargeInvoice } from './pay-invoice'

/**
 * Locks the subscription of an invoice and then the invoice, in the same order as a renewal does.
 * @throws StripeFault unless the invoice is still to be paid.
 */
async function lockUnpaid(tx: Tx, id: string) {
  const known = await tx.find('invoice', id)
  if (!known) throw noSuch('invoice', id, 'invoice')
  const subscription = await tx.lock('subscription', idOf(known.parent?.subscription_details?.subscription) ?? '')
  const invoice = await tx.lock('invoice', id)
  if (!invoice || !subscription) throw noSuch('invoice', id, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalidRequest(`The status of invoice ${id} is ${invoice.status ?? 'unknown'}, so it is not to be paid.`)
  }
  return { invoice, subscription }
}

/** Voids an invoice. The credit that it has used goes back to its customer. */
export async function voidInvoice({ tx, id, params }: Call): Promise<Reply> {
  readParams(z.strictObject({ expand: expandable() }), params)
  const { invoice } = await lockUnpaid(tx, id)
  invoice.status = 'void'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.voided_at = unixSeconds(tx.now())
  const customer = await tx.lock('customer', idOf(invoice.customer) ?? '')
  if (customer) {
    customer.balance += invoice.starting_balance - (invoice.ending_balance ?? invoice.starting_balance)
    await tx.save(customer)
  }
  await tx.save(invoice)
  await emit(tx, 'invoice.voided', invoice)
  return { body: invoice }
}

/**
 * Pays an open invoice, as a customer does on the page of the invoice. Stripe accepts this even after the invoice's
 * subscription has ended.
 */
export async function payOpenInvoice({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(z.strictObject({ payment_method: text(255).optional(), expand: expandable() }), params)
  const { invoice, subscription } = await lockUnpaid(tx, id)
  const method = input.payment_method === undefined ? null : await resolvePaymentMethod(tx, input.payment_method)
  const payer: Stripe.Subscription = method ? { ...subscription, default_payment_method: method.id } : subscription
  const failure = await chargeInvoice(tx, invoice, payer)
  if (failure) throw new StripeFault(402, failure)
  if (subscription.status === 'past_due') {
    subscription.status = 'active'
    await tx.save(subscription)
    await emit(tx, 'customer.subscription.updated', subscription, { status: 'past_due' })
  }
  return { body: invoice }
}
