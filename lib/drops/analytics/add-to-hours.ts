import 'server-only'
import type { Database } from '@/lib/infra/db'

export type HourCount = { dropId: number; source: string; count: number }

/**
 * Adds counts to the drops' counters for the current hour (UTC), separately for each source of visits. The charts
 * therefore read at most one row per hour and source, however many visitors there are.
 * @param counts may contain each pair of drop and source only once, or Postgres refuses the whole statement.
 */
export async function addToHours(
  { sql }: Database,
  what: 'views' | 'taps' | 'refused',
  counts: HourCount[],
): Promise<void> {
  if (counts.length === 0) return
  // Rows are always written in the same order. Otherwise two processes that add counts at the same time could deadlock.
  await sql(
    `hour-${what}`,
    `INSERT INTO "DropHour" ("dropId", "hour", "source", "${what}")
     SELECT c."dropId", date_trunc('hour', now(), 'UTC'), c."source", c."count"
       FROM unnest(:dropIds::int[], :sources::text[], :counts::int[]) AS c("dropId", "source", "count")
       JOIN "Drop" d ON d."id" = c."dropId" ORDER BY c."dropId", c."source"
     ON CONFLICT ("dropId", "hour", "source") DO UPDATE SET "${what}" = "DropHour"."${what}" + EXCLUDED."${what}"`,
    {
      dropIds: counts.map(({ dropId }) => dropId),
      sources: counts.map(({ source }) => source),
      counts: counts.map(({ count }) => count),
    },
  )
}
