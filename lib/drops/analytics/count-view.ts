import 'server-only'
import { isbot } from 'isbot'
import { collector } from '@/lib/infra/collector'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import type { Database } from '@/lib/infra/db'
import { addToHours, type HourCount } from './add-to-hours'
import type { VisitSource } from '../rules'

/** How many characters of a visitor's key come from the hash of the network. */
const NETWORK_KEY_LENGTH = 12
/**
 * The most visitors of a drop that are counted per network (an IPv4 address or an IPv6 /64) and day. This is enough for
 * a household or an office. More than that probably come from a script that invents user agents.
 */
const MAX_PER_NETWORK = 20

/**
 * Returns the SQL condition that a network stays within its limit of rows a day.
 * @param row the row to be written, which has "dropId", "visitor" and "nth", its number among the rows of its network.
 *   The statement needs the parameters of networkLimit.
 */
export const isWithinNetworkLimit = (table: 'DropView' | 'DropTap', row: string): string => `
  ${row}."nth" + (
    SELECT count(*) FROM "${table}" x WHERE x."dropId" = ${row}."dropId" AND x."day" = (now() AT TIME ZONE 'UTC')::date
       AND x."visitor" >= left(${row}."visitor", :addressLength) AND x."visitor" < left(${row}."visitor", :addressLength) || 'g'
  ) <= :maxPerAddress`

/** The parameters of isWithinNetworkLimit(). */
export const networkLimit = { addressLength: NETWORK_KEY_LENGTH, maxPerAddress: MAX_PER_NETWORK }

type View = { dropId: number; visitor: string; source: VisitSource }

const views = collector<View>('views', writeViews)

/**
 * Identifies a visitor by a keyed hash that changes daily. The key starts with a hash of the network, so that one
 * network can add only a limited number of views to a drop per day, whatever user agents it sends. Returns null for
 * visitors who are not counted: bots, browsers without a user agent, administrators and, if `ownerId` is passed, the
 * owner (docs/product.md#views).
 */
export function visitorKey(
  ctx: Context,
  { userAgent, ownerId }: { userAgent: string; ownerId?: number },
): string | null {
  const { actor } = ctx
  if (userAgent === '' || isbot(userAgent)) return null
  if (actor.kind === 'user' && (actor.isAdmin || actor.userId === ownerId)) return null
  const day = ctx.clock.now().toISOString().slice(0, 10)
  const networkKey = keyedHash(`address:${day}`, ctx.network).slice(0, NETWORK_KEY_LENGTH)
  return networkKey + keyedHash(`visitor:${day}`, `${ctx.network}\0${userAgent}`).slice(0, 12)
}

type Look = { dropId: number; ownerId: number; userAgent: string; source: VisitSource }

/** Counts a view of a drop by a person, once per visitor and day. */
export function countView(ctx: Context, { dropId, ownerId, userAgent, source }: Look): void {
  const visitor = visitorKey(ctx, { userAgent, ownerId })
  if (visitor) views.add(`${dropId}:${visitor}`, { dropId, visitor, source })
}

async function writeViews(database: Database, gathered: View[]): Promise<void> {
  const batch = gathered.sort((a, b) => a.dropId - b.dropId)
  // Rows are updated in id order, because otherwise two processes that write at the same time could deadlock.
  const fresh = await database.sql<HourCount>(
    'flush-views',
    `WITH fresh AS (
       INSERT INTO "DropView" ("dropId", "day", "visitor", "source")
       SELECT v."dropId", (now() AT TIME ZONE 'UTC')::date, v."visitor",
              CASE WHEN u."analytics" THEN v."source" ELSE 'direct' END
         FROM (
           SELECT "dropId", "visitor", "source",
                  row_number() OVER (PARTITION BY "dropId", left("visitor", :addressLength)) AS "nth"
             FROM unnest(:dropIds::int[], :visitors::text[], :sources::text[]) AS b("dropId", "visitor", "source")
         ) v JOIN "Drop" d ON d."id" = v."dropId" JOIN "User" u ON u."id" = d."userId"
        WHERE ${isWithinNetworkLimit('DropView', 'v')}
       ON CONFLICT DO NOTHING RETURNING "dropId", "source"
     ), counted AS (SELECT "dropId", count(*)::int AS "views" FROM fresh GROUP BY "dropId"),
     locked AS (
       SELECT d."id", c."views" FROM "Drop" d JOIN counted c ON c."dropId" = d."id" ORDER BY d."id" FOR UPDATE OF d
     ), bumped AS (
       UPDATE "Drop" SET "views" = "Drop"."views" + locked."views" FROM locked WHERE "Drop"."id" = locked."id"
     )
     SELECT "dropId", "source", count(*)::int AS "count" FROM fresh GROUP BY "dropId", "source"`,
    {
      dropIds: batch.map((view) => view.dropId),
      visitors: batch.map((view) => view.visitor),
      sources: batch.map((view) => view.source),
      ...networkLimit,
    },
  )
  await addToHours(database, 'views', fresh)
}
