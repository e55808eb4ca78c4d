import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sentOutCents, targetCents } from './rules'

/**
 * Returns how much the seller's account has to return for an order before refunds are covered, in cents; zero when it
 * has returned everything. Infinity while the payout is on its way, because nothing can be taken back before it has
 * arrived, and when the payout was withheld for other debts, because the account never had that money. The card fee
 * does not count, because Stripe keeps it and the seller owes it anyway.
 */
export async function findOverpaidCents({ db }: Pick<Context, 'db'>, orderId: string): Promise<number> {
  const transfer = await db.transfer.findUniqueOrThrow({ where: { orderId } })
  const goalCents = targetCents(transfer)
  if (goalCents + transfer.feeOwedCents < 0) return Infinity
  if (transfer.sentCents !== null && !transfer.sentAt) return Infinity
  return Math.max(0, sentOutCents(transfer) - Math.max(0, goalCents))
}
