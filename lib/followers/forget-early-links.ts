import 'server-only'
import type { Database } from '@/lib/infra/db'

/**
 * Deletes the personal links of drops that started more than 30 days ago (docs/product.md#early-access). Only the first
 * run has early access, so later runs keep no links.
 * @returns the number of links
 */
export async function forgetEarlyLinks({ sql }: Database, limit: number): Promise<number> {
  const rows = await sql(
    'forget-early-links',
    `DELETE FROM "EarlyLink" WHERE "id" IN (
       SELECT l."id" FROM "EarlyLink" l JOIN "Drop" d ON d."id" = l."dropId"
         LEFT JOIN "DropRun" r ON r."dropId" = l."dropId" AND r."run" = 1 AND d."run" > 1
        WHERE COALESCE(r."startedAt", d."startedAt") < now() - interval '30 days' LIMIT :limit) RETURNING "id"`,
    { limit },
  )
  return rows.length
}
