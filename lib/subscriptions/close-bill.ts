import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { refundInvoice } from './refund-customer'
import { returnCredit, usedCredit } from './return-credit'

/**
 * The comment at Stripe of a subscription that was ended because its last bill was not paid. Customers can write a
 * comment of their own when they cancel in the billing portal, so it must be one that nobody can guess. Otherwise a
 * customer could have the last payment refunded.
 */
export function endedUnpaidComment(subscriptionId: string): string {
  return `unpaid ${keyedHash('ended-unpaid', subscriptionId)}`
}

/**
 * Closes the newest bill of a subscription that has ended. Stripe stops collecting an unpaid bill at the end of its
 * subscription, but the bill can still be paid with the link in Stripe's emails and in the billing portal, and the
 * payment would buy nothing. An unpaid bill is therefore voided, which also returns the credit that it has used. If the
 * bill was paid after the end, or right before an end for which it was the reason, the payment is refunded and the
 * credit is returned. May run any number of times.
 * @param subscription the subscription. If its `latest_invoice` is expanded, this needs no read.
 */
export async function closeBill(ctx: Context, subscription: Stripe.Subscription): Promise<void> {
  const { status, latest_invoice: latest, ended_at: endedAt } = subscription
  if (status !== 'canceled' || !latest) return
  const bill = typeof latest === 'string' ? await ctx.stripe().invoices.retrieve(latest) : latest
  const { id: invoiceId, status: billStatus } = bill
  if (!invoiceId) return
  try {
    if (billStatus === 'open' || billStatus === 'uncollectible') await ctx.stripe().invoices.voidInvoice(invoiceId)
    else if (wasEndedUnpaid(subscription) ? isPaid(bill) : wasPaidAfter(endedAt, bill)) {
      ctx.log.warn({ subscriptionId: subscription.id, invoiceId }, 'a bill was paid after its plan had ended')
      await refundInvoice(ctx, invoiceId)
      await returnCredit(ctx, customerOf(subscription), { cause: `late ${invoiceId}`, cents: usedCredit(bill) })
    }
  } catch (error) {
    // The bill was paid or voided in the meantime. The event about the payment leads here again. A payment that Stripe
    // does not refund needs an operator, and must not keep the plan from being updated.
    if (!isStripeRefusal(error)) throw error
    ctx.log.error({ subscriptionId: subscription.id, invoiceId, cause: String(error) }, 'a bill was not closed')
  }
}

function isPaid({ status, amount_paid }: Stripe.Invoice): boolean {
  return status === 'paid' && amount_paid > 0
}

function wasEndedUnpaid({ id, cancellation_details: details }: Stripe.Subscription): boolean {
  return details?.comment === endedUnpaidComment(id)
}

function wasPaidAfter(endedAt: number | null, bill: Stripe.Invoice): boolean {
  const paidAt = bill.status_transitions.paid_at
  return isPaid(bill) && endedAt !== null && paidAt !== null && paidAt > endedAt
}

function customerOf({ customer }: Stripe.Subscription): string {
  return typeof customer === 'string' ? customer : customer.id
}
