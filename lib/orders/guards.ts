import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Locks the hold of an order and then the order. Every transaction that changes an order together with its hold or its
 * drop takes the locks in this order, and the drop's last. Otherwise a payment and a refund of one order could
 * deadlock.
 */
export async function lockOrder(tx: Pick<Context, 'sql'>, orderId: string): Promise<void> {
  const ofHold = 'SELECT 1 FROM "Hold" WHERE "id" = (SELECT "holdId" FROM "Order" WHERE "id" = :orderId) FOR UPDATE'
  await tx.sql('lock-hold-of-order', ofHold, { orderId })
  await tx.sql('lock-order', 'SELECT 1 FROM "Order" WHERE "id" = :orderId FOR UPDATE', { orderId })
}

/**
 * Locks the drop of an order if it hands out keys. Every change of keys takes this lock first, after the order's, so
 * that no key is counted or given twice.
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
