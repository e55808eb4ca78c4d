import 'server-only'
import { sha256 } from '@/lib/infra/crypto'
import type { Database } from '@/lib/infra/db'
import { CONFIRM_WITHIN_DAYS } from './rules'
import type { FollowerCountView, FollowerView } from './view'

/** SQL: whether a request `f` can still be confirmed. A follower who confirmed before may press the button again. */
export const MAY_CONFIRM = `f."askedAt" > now() - interval '${CONFIRM_WITHIN_DAYS} days'`

/** Returns what the confirmation page shows, or null for a link that is unknown or expired. */
export async function findFollowRequest(
  { sql }: Database,
  token: string,
): Promise<{ username: string; consentText: string } | null> {
  const [row] = await sql<{ username: string; consentText: string }>(
    'follow-request',
    `SELECT COALESCE(u."username", u."firstName") AS "username", f."consentText"
       FROM "Follower" f JOIN "User" u ON u."id" = f."sellerId" WHERE f."tokenHash" = :tokenHash AND ${MAY_CONFIRM}`,
    { tokenHash: sha256(token) },
  )
  return row ?? null
}

/** Counts a seller's confirmed followers for the dashboard. */
export async function countFollowers({ sql }: Database, sellerId: number): Promise<FollowerCountView> {
  const [row] = await sql<FollowerCountView>(
    'count-followers',
    `SELECT count(*)::int AS "total",
            (count(*) FILTER (WHERE "confirmedAt" > now() - interval '30 days'))::int AS "lastMonth"
       FROM "Follower" WHERE "sellerId" = :sellerId AND "confirmedAt" IS NOT NULL`,
    { sellerId },
  )
  return row ?? { total: 0, lastMonth: 0 }
}

const BATCH = 2_000

/** Reads a seller's confirmed followers in the order in which they asked, in batches. */
export async function* walkFollowers({ sql }: Database, sellerId: number): AsyncGenerator<FollowerView[], void> {
  let afterId = 0
  for (;;) {
    const rows = await sql<{ id: number; email: string; confirmedAt: Date; page: string; consentText: string }>(
      'walk-followers',
      `SELECT "id", "email", "confirmedAt", "page", "consentText" FROM "Follower"
        WHERE "sellerId" = :sellerId AND "confirmedAt" IS NOT NULL AND "id" > :afterId ORDER BY "id" LIMIT :limit`,
      { sellerId, afterId, limit: BATCH },
    )
    if (rows.length > 0) yield rows.map(toFollowerView)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    afterId = last.id
  }
}

function toFollowerView(row: { email: string; confirmedAt: Date; page: string; consentText: string }): FollowerView {
  const { email, confirmedAt, page, consentText } = row
  return { email, confirmedAt: confirmedAt.toISOString(), page, agreedTo: consentText }
}
