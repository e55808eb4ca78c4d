import 'server-only'
import { isStripeRefusal, stripe } from '@/lib/infra/stripe'

type Whose = { customer: string } | { subscription: string }

/**
 * Gives back every payment for the plan, of a customer or of one subscription. The keys come from the payments, so
 * however often this runs each goes back once.
 * @returns what was paid in all, in cents.
 */
export async function refundCustomer(whose: Whose): Promise<number> {
  let paidCents = 0
  const paid = await stripe().invoices.list({ ...whose, status: 'paid', limit: 100 })
  for (const invoice of paid.data) {
    if (!invoice.id || invoice.amount_paid === 0) continue
    const payments = await stripe().invoicePayments.list({ invoice: invoice.id, status: 'paid' })
    for (const { payment } of payments.data) {
      if (typeof payment.payment_intent === 'string') await refundOnce(payment.payment_intent)
    }
    paidCents += invoice.amount_paid
  }
  return paidCents
}

async function refundOnce(intentId: string): Promise<void> {
  try {
    await stripe().refunds.create({ payment_intent: intentId }, { idempotencyKey: `plan-refund-${intentId}` })
  } catch (error) {
    // Already given back, by hand or by an earlier try whose key has lapsed.
    if (isStripeRefusal(error) && (error as { code?: unknown }).code === 'charge_already_refunded') return
    throw error
  }
}
