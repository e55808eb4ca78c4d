import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sentOutCents, targetCents } from './rules'

/**
 * Returns how much the seller's account has to return for an order before refunds are covered, in cents; zero when it
 * has returned everything. Infinity while the payout is on its way, because nothing can be taken back before it has
 * arrived.
 */
export async function findOverpaidCents({ db }: Pick<Context, 'db'>, orderId: string): Promise<number> {
  const transfer = await db.transfer.findUniqueOrThrow({ where: { orderId } })
  if (!transfer.sentAt) return Infinity
  return Math.max(0, sentOutCents(transfer) - Math.max(0, targetCents(transfer)))
}
