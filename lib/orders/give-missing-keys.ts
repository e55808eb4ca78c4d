import 'server-only'
import { areKeysTaken } from '@/lib/drops/keys/are-keys-taken'
import type { Context } from '@/lib/infra/context'
import { keySql } from '@/lib/stock/key-sql'
import { lockDropOfKeys } from './guards'

/**
 * How many further keys an order got, how many of its void keys count as valid again, and whether the seller has
 * downloaded the unused keys, so that the further ones may be in use elsewhere.
 */
export type GivenKeys = { given: number; restored: number; wereDownloaded?: boolean }

/**
 * Gives a paid order the keys that it lacks. That happens when a bank rejects a refund, or when a lost dispute is
 * won after all: the keys went back into the pool by then, or the seller has marked them as void. Only keys that
 * no unsold unit needs are given. When there are too few, void keys of the order count as valid again, so that
 * the buyer has a key and the seller knows which key to activate again. A repeated call changes nothing. Call it
 * with the order's row locked.
 */
export async function giveMissingKeys(tx: Context, orderId: string): Promise<GivenKeys> {
  if (!(await lockDropOfKeys(tx, orderId))) return { given: 0, restored: 0 }
  const given = await tx.sql<{ dropId: number }>(
    'give-missing-keys',
    `WITH wanted AS (
       SELECT l."orderId", l."dropId", LEAST(l."spare", l."quantity") AS "quantity" FROM (${LACKING}) l
        WHERE LEAST(l."spare", l."quantity") > 0
     )
     ${keySql.give('wanted')} RETURNING k."dropId"`,
    { orderId },
  )
  const restored = await tx.sql(
    'restore-void-keys',
    `UPDATE "DropKey" k SET "voidedAt" = NULL FROM (
       SELECT v."id" FROM (${LACKING}) l CROSS JOIN LATERAL (
         SELECT k."id" FROM "DropKey" k WHERE k."orderId" = l."orderId" AND k."voidedAt" IS NOT NULL
          ORDER BY k."givenAt", k."id" LIMIT GREATEST(0, l."quantity")) v) back
      WHERE k."id" = back."id" RETURNING k."id"`,
    { orderId },
  )
  const [first] = given
  const wereDownloaded = first !== undefined && (await areKeysTaken(tx, first.dropId))
  return { given: given.length, restored: restored.length, wereDownloaded }
}

/** Selects how many valid keys an order lacks, and how many spare keys its drop has. */
const LACKING = `SELECT o."id" AS "orderId", o."dropId", ${keySql.spare} AS "spare", ${keySql.unrefunded}
        - (SELECT count(*) FROM "DropKey" k WHERE k."orderId" = o."id" AND k."voidedAt" IS NULL) AS "quantity"
   FROM "Order" o JOIN "Drop" d ON d."id" = o."dropId" JOIN "Hold" h ON h."id" = o."holdId"
  WHERE o."id" = :orderId AND o."paidAt" IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'system')`
