import 'server-only'
import type { Database } from '@/lib/infra/db'
import type { DiscountCodeRow } from './code-view'

const CODE = `c."id", c."code", c."percent", c."offCents", c."maxUses", c."perBuyer", c."endsAt", c."endedAt", c."used",
  c."discountedCents"::float8 AS "discountedCents", c."createdAt", d."priceCents", now() AS "now"
  FROM "DiscountCode" c JOIN "Drop" d ON d."id" = c."dropId"`

/** Returns the discount codes of a drop, the newest first. */
export function listCodes({ sql }: Pick<Database, 'sql'>, dropId: number): Promise<DiscountCodeRow[]> {
  return sql<DiscountCodeRow>(
    'list-codes',
    `SELECT ${CODE} WHERE c."dropId" = :dropId ORDER BY c."createdAt" DESC, c."id" DESC`,
    { dropId },
  )
}

/** Returns the discount codes of all drops of a seller that are not hidden, those of the newest drop first. */
export function listSellerCodes(
  { sql }: Pick<Database, 'sql'>,
  sellerId: number,
): Promise<(DiscountCodeRow & { dropId: number })[]> {
  return sql<DiscountCodeRow & { dropId: number }>(
    'list-seller-codes',
    `SELECT c."dropId", ${CODE} WHERE d."userId" = :sellerId AND d."hiddenAt" IS NULL
      ORDER BY c."dropId" DESC, c."createdAt" DESC, c."id" DESC`,
    { sellerId },
  )
}

/**
 * Finds a discount code of a drop. `code` must be normalized by codeKey(). Returns null when the drop has no such code.
 */
export async function findCode(
  { sql }: Pick<Database, 'sql'>,
  dropId: number,
  code: string,
): Promise<DiscountCodeRow | null> {
  const [row] = await sql<DiscountCodeRow>(
    'find-code',
    `SELECT ${CODE} WHERE c."dropId" = :dropId AND c."code" = :code`,
    {
      dropId,
      code,
    },
  )
  return row ?? null
}

/** Whether another drop of the drop's seller has this code. Hidden drops do not count. */
export async function isCodeOfOtherDrop(
  { sql }: Pick<Database, 'sql'>,
  drop: { id: number; userId: number },
  code: string,
): Promise<boolean> {
  const rows = await sql<{ id: number }>(
    'code-of-other-drop',
    `SELECT c."id" FROM "DiscountCode" c JOIN "Drop" d ON d."id" = c."dropId"
      WHERE d."userId" = :sellerId AND d."id" <> :dropId AND d."hiddenAt" IS NULL AND c."code" = :code LIMIT 1`,
    { sellerId: drop.userId, dropId: drop.id, code },
  )
  return rows.length > 0
}
