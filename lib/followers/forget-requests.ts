import 'server-only'
import type { Context } from '@/lib/infra/context'
import { MAY_CONFIRM } from './queries'

const BATCH = 5_000

/**
 * Deletes the addresses that nobody confirmed in time (docs/product.md#followers), and the personal links of drops that
 * started more than 30 days ago. Only the first run has early access, so later runs keep no links.
 */
export async function forgetRequests({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql(
    'forget-follow-requests',
    `DELETE FROM "Follower" WHERE "id" IN (
       SELECT f."id" FROM "Follower" f WHERE f."confirmedAt" IS NULL AND NOT (${MAY_CONFIRM}) LIMIT :limit)`,
    { limit: BATCH },
  )
  await sql(
    'forget-early-links',
    `DELETE FROM "EarlyLink" WHERE "id" IN (
       SELECT l."id" FROM "EarlyLink" l JOIN "Drop" d ON d."id" = l."dropId"
         LEFT JOIN "DropRun" r ON r."dropId" = l."dropId" AND r."run" = 1 AND d."run" > 1
        WHERE COALESCE(r."startedAt", d."startedAt") < now() - interval '30 days' LIMIT :limit)`,
    { limit: BATCH },
  )
}
