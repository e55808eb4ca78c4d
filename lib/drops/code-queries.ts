import 'server-only'
import type { Database } from '@/lib/infra/db'
import type { DiscountCodeRow } from './code-view'

const CODE = `c."id", c."code", c."percent", c."offCents", c."maxUses", c."perBuyer", c."endsAt", c."endedAt", c."used",
  c."discountedCents"::float8 AS "discountedCents", c."createdAt", d."priceCents", now() AS "now"
  FROM "DiscountCode" c JOIN "Drop" d ON d."id" = c."dropId"`

/** What discount codes took off the units that the current run of a "Drop" row with this alias has sold, in cents. */
export const runDiscountSql = (drop: string) => `COALESCE((
  SELECT sum(o."discountCents" / o."quantity" * h."quantity") FROM "DiscountCode" c
    JOIN "Hold" h ON h."codeId" = c."id" AND h."state" = 'sold' AND h."run" = ${drop}."run" JOIN "Order" o ON o."holdId" = h."id"
   WHERE c."dropId" = ${drop}."id"), 0)::float8`

/** The discount codes of a drop, the newest first. */
export function listCodes({ sql }: Pick<Database, 'sql'>, dropId: number): Promise<DiscountCodeRow[]> {
  return sql<DiscountCodeRow>(
    'list-codes',
    `SELECT ${CODE} WHERE c."dropId" = :dropId ORDER BY c."createdAt" DESC, c."id" DESC`,
    { dropId },
  )
}

/** The code of a drop in its one spelling (codeKey()); null when the drop has none like it. */
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

/** Whether a seller has this code on another drop. */
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
