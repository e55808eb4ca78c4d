import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Locks the hold of an order and then the order. Every transaction that changes an order together with its hold or its
 * drop takes the locks in this order, and the drop's last. Otherwise a payment and a refund of one order could
 * deadlock.
 */
export async function lockHoldAndOrder(tx: Pick<Context, 'sql'>, orderId: string): Promise<void> {
  const ofHold = 'SELECT 1 FROM "Hold" WHERE "id" = (SELECT "holdId" FROM "Order" WHERE "id" = :orderId) FOR UPDATE'
  await tx.sql('lock-hold-of-order', ofHold, { orderId })
  await lockOrderOnly(tx, orderId)
}

/** Locks an order for a change that touches neither its hold nor its drop. */
export async function lockOrderOnly(tx: Pick<Context, 'sql'>, orderId: string): Promise<void> {
  await tx.sql('lock-order', 'SELECT 1 FROM "Order" WHERE "id" = :orderId FOR UPDATE', { orderId })
}

/**
 * Locks the drop of an order if it hands out keys. Call it after the order is locked, and before keys are given, are
 * returned, or get back to the order. Without it, a key could be counted or given twice. Showing a key or making it
 * invalid needs only the lock of the order.
 * @returns whether the drop hands out keys
 */
export async function lockDropOfKeys(tx: Context, orderId: string): Promise<boolean> {
  const rows = await tx.sql(
    'lock-drop-of-keys',
    `SELECT 1 FROM "Drop" d WHERE d."keysGiven" IS NOT NULL
       AND d."id" = (SELECT o."dropId" FROM "Order" o WHERE o."id" = :orderId) FOR NO KEY UPDATE`,
    { orderId },
  )
  return rows.length > 0
}
