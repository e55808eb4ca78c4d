import 'server-only'
import { hourlyKey, isStripeAlreadyRefunded, isStripeDisputed, stripe } from '@/lib/infra/stripe'

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
  const idempotencyKey = hourlyKey(`plan-refund-${intentId}`, new Date())
  try {
    await stripe().refunds.create({ payment_intent: intentId }, { idempotencyKey })
  } catch (error) {
    if (isStripeAlreadyRefunded(error)) return
    // The bank decides where this money goes. The plan must still be cancelled, or it would renew.
    if (isStripeDisputed(error)) return
    throw error
  }
}
