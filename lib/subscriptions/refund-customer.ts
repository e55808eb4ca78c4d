import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded, isStripeDisputed } from '@/lib/infra/stripe-errors'
import { hourlyKey } from '@/lib/infra/stripe-keys'

type Whose = { customer: string } | { subscription: string }

/**
 * Refunds every payment for the plan, of a customer or of one subscription. The idempotency keys come from the
 * payments, so repeated runs refund each payment only once.
 * @returns what was paid in all, in cents.
 */
export async function refundCustomer(ctx: Context, whose: Whose): Promise<number> {
  let paidCents = 0
  const paid = await ctx.stripe().invoices.list({ ...whose, status: 'paid', limit: 100 })
  for (const invoice of paid.data) {
    if (!invoice.id || invoice.amount_paid === 0) continue
    const payments = await ctx.stripe().invoicePayments.list({ invoice: invoice.id, status: 'paid' })
    for (const { payment } of payments.data) {
      if (typeof payment.payment_intent === 'string') await refundOnce(ctx, payment.payment_intent)
    }
    paidCents += invoice.amount_paid
  }
  return paidCents
}

async function refundOnce(ctx: Context, intentId: string): Promise<void> {
  const idempotencyKey = hourlyKey(`plan-refund-${intentId}`, ctx.clock.now())
  try {
    await ctx.stripe().refunds.create({ payment_intent: intentId }, { idempotencyKey })
  } catch (error) {
    if (isStripeAlreadyRefunded(error)) return
    // This payment is disputed, so the bank decides about the money. The plan must still be cancelled, or it would
    // renew.
    if (isStripeDisputed(error)) return
    throw error
  }
}
