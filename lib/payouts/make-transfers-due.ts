import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Makes the payouts of these orders due now, because their parcels were shipped. Payouts that are already due, sent or
 * canceled stay as they are. Call it in the transaction that marks the orders as shipped.
 */
export async function makeTransfersDue(tx: Context, orderIds: readonly string[]): Promise<void> {
  const now = tx.clock.now()
  await tx.db.transfer.updateMany({
    where: { orderId: { in: [...orderIds] }, state: 'waiting', dueAt: { gt: now } },
    data: { dueAt: now },
  })
}
