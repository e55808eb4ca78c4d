import 'server-only'
import type { Context } from '@/lib/infra/context'

const BATCH = 5_000

/** Removes the network from holds that ended more than two hours ago, which the limits no longer count. */
export async function forgetOrigins({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql(
    'forget-origins',
    `UPDATE "Hold" SET "originKey" = NULL WHERE "id" IN (
       SELECT "id" FROM "Hold" WHERE "originKey" IS NOT NULL AND "settledAt" < now() - interval '2 hours' LIMIT :limit)`,
    { limit: BATCH },
  )
}
