import 'server-only'
import type { Database } from '@/lib/infra/db'
import type { ReviewRow } from './view'

/** What waits for a person, the oldest first. */
export function listOpenReviews({ sql }: Database, limit: number): Promise<ReviewRow[]> {
  return sql<ReviewRow>(
    'open-reviews',
    `SELECT r."id", r."category", r."source", r."details", r."createdAt", d."id" AS "dropId",
            COALESCE(d."customSlug", d."uniqueId") AS "identifier", d."title", d."description",
            i."key" AS "imageKey", i."widths" AS "imageWidths",
            u."id" AS "sellerId", u."username" AS "sellerUsername", u."email" AS "sellerEmail",
            (SELECT count(*)::int FROM "Strike" s WHERE s."userId" = u."id") AS "strikes"
       FROM "ModerationReview" r JOIN "Drop" d ON d."id" = r."dropId" JOIN "User" u ON u."id" = d."userId"
       LEFT JOIN "DropImage" i ON i."dropId" = d."id" AND i."position" = 0
      WHERE r."state" = 'open' ORDER BY r."createdAt", r."id" LIMIT :limit`,
    { limit },
  )
}

export async function countOpenReviews({ sql }: Database): Promise<number> {
  const [row] = await sql<{ count: number }>(
    'count-open-reviews',
    `SELECT count(*)::int AS "count" FROM "ModerationReview" WHERE "state" = 'open'`,
  )
  return row?.count ?? 0
}
