import 'server-only'
import type { Database } from '@/lib/infra/db'
import { addToHours, type HourCount } from './add-to-hours'
import { isWithinNetworkLimit, networkLimit } from './count-view'

/** One visitor's press on the buy button of a drop; `userId` is 0 for a visitor without a session. */
export type Tap = { dropId: number; visitor: string; userId: number }

/**
 * Counts presses on the buy button. Each visitor counts once per drop and day, if the seller has analytics turned on
 * and is not the visitor. A network adds as many taps a day as views.
 */
export async function countTaps(database: Database, batch: readonly Tap[]): Promise<void> {
  const dropIds = batch.map((tap) => tap.dropId)
  const visitors = batch.map((tap) => tap.visitor)
  const fresh = await database.sql<HourCount>(
    'flush-taps',
    `WITH fresh AS (
       INSERT INTO "DropTap" ("dropId", "day", "visitor")
       SELECT t."dropId", (now() AT TIME ZONE 'UTC')::date, t."visitor"
         FROM (
           SELECT "dropId", "visitor", "userId",
                  row_number() OVER (PARTITION BY "dropId", left("visitor", :addressLength)) AS "nth"
             FROM unnest(:dropIds::int[], :visitors::text[], :userIds::int[]) AS b("dropId", "visitor", "userId")
         ) t
         JOIN "Drop" d ON d."id" = t."dropId" AND d."userId" <> t."userId"
         JOIN "User" u ON u."id" = d."userId" AND u."analytics"
        WHERE ${isWithinNetworkLimit('DropTap', 't')}
        ORDER BY t."dropId", t."visitor"
       ON CONFLICT DO NOTHING RETURNING "dropId", "day", "visitor"
     )
     SELECT f."dropId", COALESCE(v."source", 'direct') AS "source", count(*)::int AS "count"
       FROM fresh f LEFT JOIN "DropView" v
         ON v."dropId" = f."dropId" AND v."day" = f."day" AND v."visitor" = f."visitor"
      GROUP BY 1, 2`,
    { dropIds, visitors, userIds: batch.map((tap) => tap.userId), ...networkLimit },
  )
  await addToHours(database, 'taps', fresh)
}
