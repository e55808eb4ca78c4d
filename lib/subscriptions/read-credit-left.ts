import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Reads how much credit the bills of one subscription have left its customer, in cents: what switches of the billing
 * period have credited, less what later bills of the same subscription have used. Bills of other subscriptions may have
 * used a part of it.
 */
export async function readCreditLeft(ctx: Context, subscription: string): Promise<number> {
  let cents = 0
  for await (const invoice of ctx.stripe().invoices.list({ subscription, limit: 100 })) {
    // A voided bill has returned the credit that it had used.
    if (invoice.status === 'void') continue
    // Stripe sets the second balance once the bill is final. Credit is a negative balance.
    cents += invoice.starting_balance - (invoice.ending_balance ?? invoice.starting_balance)
  }
  return Math.max(0, cents)
}
