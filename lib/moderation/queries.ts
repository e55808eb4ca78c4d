import 'server-only'
import { statement } from '@/lib/infra/db'
import type { ReviewRow } from './view'

/** What waits for a person, the oldest first. */
export function listOpenReviews(limit: number): Promise<ReviewRow[]> {
  return statement<ReviewRow>(
    'open-reviews',
    `SELECT r."id", r."category", r."source", r."details", r."createdAt", d."id" AS "dropId",
            COALESCE(d."customSlug", d."uniqueId") AS "identifier", d."title", d."description",
            i."key" AS "imageKey", i."widths" AS "imageWidths",
            u."id" AS "sellerId", u."username" AS "sellerUsername", u."email" AS "sellerEmail",
            (SELECT count(*)::int FROM "Strike" s WHERE s."userId" = u."id") AS "strikes"
       FROM "ModerationReview" r JOIN "Drop" d ON d."id" = r."dropId" JOIN "User" u ON u."id" = d."userId"
       LEFT JOIN "DropImage" i ON i."dropId" = d."id" AND i."position" = 0
      WHERE r."state" = 'open' ORDER BY r."createdAt", r."id" LIMIT $1`,
    [limit],
  )
}

export async function countOpenReviews(): Promise<number> {
  const [row] = await statement<{ count: number }>(
    'count-open-reviews',
    `SELECT count(*)::int AS "count" FROM "ModerationReview" WHERE "state" = 'open'`,
  )
  return row?.count ?? 0
}
