import 'server-only'
import type { Context } from '@/lib/infra/context'

const BATCH = 5_000

/**
 * Removes the network from up to BATCH entries of drops that ended more than two hours ago, because no more units of
 * these drops are offered.
 */
export async function forgetWaitingOrigins({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql(
    'forget-waiting-origins',
    `UPDATE "WaitlistEntry" SET "originKey" = NULL WHERE "id" IN (
       SELECT e."id" FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId"
        WHERE e."originKey" IS NOT NULL AND d."endTime" < now() - interval '2 hours' LIMIT :limit)`,
    { limit: BATCH },
  )
}
