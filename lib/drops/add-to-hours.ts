import 'server-only'
import { statement } from '@/lib/infra/db'

export type HourCount = { dropId: number; source: string; count: number }

/** Adds to what happened in this hour, by source; the pictures are drawn from a few dozen rows, however large the crowd. */
export async function addToHours(what: 'views' | 'taps', counts: HourCount[]): Promise<void> {
  if (counts.length === 0) return
  // In one order everywhere: two processes adding at once would deadlock otherwise.
  await statement(
    `hour-${what}`,
    `INSERT INTO "DropHour" ("dropId", "hour", "source", "${what}")
     SELECT c."dropId", date_trunc('hour', now(), 'UTC'), c."source", c."count"
       FROM unnest($1::int[], $2::text[], $3::int[]) AS c("dropId", "source", "count")
       JOIN "Drop" d ON d."id" = c."dropId" ORDER BY c."dropId", c."source"
     ON CONFLICT ("dropId", "hour", "source") DO UPDATE SET "${what}" = "DropHour"."${what}" + EXCLUDED."${what}"`,
    [counts.map(({ dropId }) => dropId), counts.map(({ source }) => source), counts.map(({ count }) => count)],
  )
}
