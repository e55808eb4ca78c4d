import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { refundInvoice } from './refund-customer'

/**
 * Closes the newest bill of a subscription that has ended. Stripe stops collecting an unpaid bill at the end of its
 * subscription, but the bill can still be paid with the link in Stripe's emails and in the billing portal, and the
 * payment would buy nothing. An unpaid bill is therefore voided, which also returns the credit that it has used, and a
 * payment that was made after the end is refunded. May run any number of times.
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
    else if (wasPaidAfter(endedAt, bill)) {
      ctx.log.warn({ subscriptionId: subscription.id, invoiceId }, 'a bill was paid after its plan had ended')
      await refundInvoice(ctx, invoiceId)
    }
  } catch (error) {
    // The bill was paid or voided in the meantime. The event about the payment leads here again. A payment that Stripe
    // does not refund needs an operator, and must not keep the plan from being updated.
    if (!isStripeRefusal(error)) throw error
    ctx.log.error({ subscriptionId: subscription.id, invoiceId, cause: String(error) }, 'a bill was not closed')
  }
}

function wasPaidAfter(endedAt: number | null, { status, amount_paid, status_transitions }: Stripe.Invoice): boolean {
  const paidAt = status_transitions.paid_at
  return status === 'paid' && amount_paid > 0 && endedAt !== null && paidAt !== null && paidAt > endedAt
}
