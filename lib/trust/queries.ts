import 'server-only'
import type { Prisma } from '@prisma/client'
import { isStillSuspended } from '@/lib/accounts/view'
import type { Database, Db } from '@/lib/infra/db'
import { categoryLabel } from '@/lib/moderation/messages'
import { SEVERE_CATEGORIES } from './rules'
import type { AppealView, ReportedProfileView, ReviewRow, SuspensionView } from './view'

const MAX_SHOWN = 100

/** Lists up to 100 appeals that wait for a decision, oldest first. */
export async function listOpenAppeals(db: Db): Promise<AppealView[]> {
  const appeals = await db.appeal.findMany({
    where: { state: 'open' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { user: { include: { _count: { select: { strikes: true } } } } },
    take: MAX_SHOWN,
  })
  return appeals.map(({ id, text, createdAt, user }) => ({
    id,
    text,
    createdAt: createdAt.toISOString(),
    userId: user.id,
    username: user.username,
    email: user.email,
    reason: user.suspensionReason,
    until: user.suspendedUntil?.toISOString() ?? null,
    strikes: user._count.strikes,
  }))
}

/** Returns what a suspended seller sees, or null if the account is not suspended. */
export async function findSuspension(db: Db, userId: number, now: Date): Promise<SuspensionView | null> {
  const user = await db.user.findUnique({
    where: { id: userId },
    include: { appeals: { where: { state: 'open' }, take: 1 } },
  })
  if (!user || !isStillSuspended(user, now)) return null
  const until = user.suspendedUntil?.toISOString() ?? null
  return { reason: user.suspensionReason, until, hasOpenAppeal: user.appeals.length > 0 }
}

/** Lists up to `limit` reviews that wait for a decision: those of severe violations first, then the oldest. */
export function listOpenReviews({ sql }: Database, limit: number): Promise<ReviewRow[]> {
  return sql<ReviewRow>(
    'open-reviews',
    `SELECT r."id", r."category", r."source", r."details", r."createdAt", d."id" AS "dropId",
            COALESCE(d."customSlug", d."uniqueId") AS "identifier", d."title", d."description",
            f."url" AS "digitalFileUrl", i."key" AS "imageKey", i."widths" AS "imageWidths",
            u."id" AS "sellerId", u."username" AS "sellerUsername", u."email" AS "sellerEmail", u."isAdmin" AS "isSellerAdmin",
            (SELECT count(*)::int FROM "Strike" s WHERE s."userId" = u."id") AS "strikes"
       FROM "ModerationReview" r JOIN "Drop" d ON d."id" = r."dropId" JOIN "User" u ON u."id" = d."userId"
       LEFT JOIN "DropImage" i ON i."dropId" = d."id" AND i."position" = 0
       LEFT JOIN "DigitalFile" f ON f."dropId" = d."id"
      WHERE r."state" = 'open' ORDER BY (r."category" = ANY(:severe::text[])) DESC, r."createdAt", r."id" LIMIT :limit`,
    { limit, severe: SEVERE_CATEGORIES },
  )
}

/** Returns the users with open reports that match `where`, the one that was reported first at the top. */
async function listReportedUsers(db: Db, where: Prisma.ProfileReportWhereInput): Promise<number[]> {
  const reported = await db.profileReport.groupBy({
    by: ['userId'],
    where: { ...where, state: 'open', user: { deletedAt: null } },
    orderBy: { _min: { id: 'asc' } },
    take: MAX_SHOWN,
  })
  return reported.map(({ userId }) => userId)
}

/** Lists the profiles with open reports: severe reports first, and within each group the earliest report first. */
export async function listReportedProfiles(db: Db): Promise<ReportedProfileView[]> {
  const severe = await listReportedUsers(db, { category: { in: SEVERE_CATEGORIES } })
  const others = await listReportedUsers(db, { userId: { notIn: severe } })
  const ids = [...severe, ...others].slice(0, MAX_SHOWN)
  const users = await db.user.findMany({
    where: { id: { in: ids } },
    include: { publicProfile: true, profileReports: { where: { state: 'open' }, orderBy: { id: 'asc' } } },
  })
  return users
    .sort((one, two) => ids.indexOf(one.id) - ids.indexOf(two.id))
    .map(({ id, username, email, publicProfile, profileReports }) => ({
      userId: id,
      username,
      email,
      about: publicProfile?.about ?? '',
      links: publicProfile?.links ?? [],
      reports: profileReports.map((report) => ({
        id: report.id,
        category: report.category,
        categoryLabel: categoryLabel(report.category),
        details: report.details,
        createdAt: report.createdAt.toISOString(),
      })),
    }))
}
