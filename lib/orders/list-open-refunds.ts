import 'server-only'
import type { Db } from '@/lib/infra/db'

/** A refund that Stripe has not settled yet, or has not received. */
export type OpenRefund = {
  id: string
  orderId: string
  requestedBy: string
  stripeRefundId: string | null
  createdAt: Date
}

/**
 * Lists the pending refunds: those that may not have reached Stripe because Stripe was not available, and those that
 * Stripe has not settled. The event about the result of the latter may have been lost.
 * @returns at most `limit` refunds of each kind, the unsent ones first, and the oldest of each kind first
 */
export async function listOpenRefunds(db: Db, limit: number): Promise<OpenRefund[]> {
  const select = { id: true, orderId: true, requestedBy: true, stripeRefundId: true, createdAt: true } as const
  const orderBy = { createdAt: 'asc' } as const
  const unsent = { state: 'pending', stripeRefundId: null } as const
  const sent = { state: 'pending', stripeRefundId: { not: null } } as const
  // Many refunds can stay pending for days while the platform's balance is too small. They must not crowd out unsent
  // refunds, so each kind has its own limit.
  return [
    ...(await db.refund.findMany({ where: unsent, orderBy, select, take: limit })),
    ...(await db.refund.findMany({ where: sent, orderBy, select, take: limit })),
  ]
}
