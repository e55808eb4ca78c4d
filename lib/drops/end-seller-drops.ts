import 'server-only'
import type { Context } from '@/lib/infra/context'
import { hideDrops } from './hide-drops'

/**
 * Ends and hides all drops of a seller whose account is being closed (docs/product.md#removing-drops-and-accounts).
 * Orders keep their drops. Call it with the seller's row locked.
 * @returns how many active drops were ended.
 */
export async function endSellerDrops(tx: Context, sellerId: number): Promise<number> {
  const shown = await tx.sql<{ id: number; isActiveDrop: boolean }>(
    'lock-drops-of-seller',
    `SELECT "id", "isActive" AND "archivedAt" IS NULL AS "isActiveDrop" FROM "Drop"
      WHERE "userId" = :sellerId AND ("hiddenAt" IS NULL OR "isActive") ORDER BY "id" FOR UPDATE`,
    { sellerId },
  )
  await hideDrops(
    tx,
    shown.map(({ id }) => id),
  )
  return shown.filter(({ isActiveDrop }) => isActiveDrop).length
}
