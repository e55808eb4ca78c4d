import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keySql } from '@/lib/stock/key-sql'
import { keyProblems, keyTexts } from './key-messages'
import { type ListedKey, MAX_KEYS_OF_DROP } from './key-rules'
import { dropError } from '../messages'

/**
 * Adds keys to a drop. Refuses a key that the drop already lists, whether or not a buyer has it, because two buyers
 * could not both use it. Call it with the drop's row locked.
 * @throws KEYS_REFUSED
 */
export async function addKeys(tx: Context, dropId: number, listed: readonly ListedKey[]): Promise<void> {
  const keys = listed.map(({ key }) => key)
  const [before] = await tx.sql<{ count: number; known: string | null }>(
    'known-keys',
    `SELECT (SELECT count(*)::int FROM "DropKey" WHERE "dropId" = :dropId) AS "count",
            (SELECT l."key" FROM unnest(:keys::text[]) WITH ORDINALITY AS l("key", "place")
              WHERE EXISTS (SELECT 1 FROM "DropKey" k WHERE k."dropId" = :dropId AND k."key" = l."key")
              ORDER BY l."place" LIMIT 1) AS "known"`,
    { dropId, keys },
  )
  const { count = 0, known = null } = before ?? {}
  const line = listed.find(({ key }) => key === known)?.line
  if (line !== undefined) throw dropError('KEYS_REFUSED', { text: keyProblems(line).known })
  if (count + keys.length > MAX_KEYS_OF_DROP) throw dropError('KEYS_REFUSED', { text: keyTexts.tooManyInAll })
  await tx.sql(
    'add-keys',
    `INSERT INTO "DropKey" ("dropId", "key")
     SELECT :dropId, l."key" FROM unnest(:keys::text[]) WITH ORDINALITY AS l("key", "place") ORDER BY l."place"`,
    { dropId, keys },
  )
}

/** Counts the keys of a drop that no order has. Call it with the drop's row locked. */
export async function countFreeKeys(tx: Pick<Context, 'sql'>, dropId: number): Promise<number> {
  const [row] = await tx.sql<{ free: number }>('count-free-keys', `SELECT ${keySql.free(':dropId')} AS "free"`, {
    dropId,
  })
  return row?.free ?? 0
}
