import 'server-only'
import type { ModerationReview } from '@prisma/client'
import { assertTwoFactorForAdmins } from '@/lib/accounts/guards'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { trustError } from './messages'
import { isSevereCategory, MAX_OPEN_REPORTS, SEVERE_CATEGORIES } from './rules'

/**
 * Allows administrators only, who need a second factor when payments are live.
 * @throws FORBIDDEN, TWO_FACTOR_REQUIRED
 */
export function assertModerator(ctx: Context<UserActor>): void {
  if (!ctx.actor.isAdmin) throw platformError('FORBIDDEN')
  assertTwoFactorForAdmins(ctx)
}

/**
 * SQL: whether a stored report counts toward the limit of open reports when another one with these parameters arrives.
 * Severe reports are counted apart, so that mild reports of a target cannot keep a severe one out.
 */
export const COUNTS_TOWARD_LIMIT = `"state" = 'open' AND ("category" = ANY(:severe::text[])) = :isSevere::boolean`

/** Returns the parameters of COUNTS_TOWARD_LIMIT, and the limit itself. */
export const reportLimitParameters = (category: string) => ({
  maxOpen: MAX_OPEN_REPORTS,
  severe: SEVERE_CATEGORIES,
  isSevere: isSevereCategory(category),
})

/**
 * Makes the transaction wait until every other report of the same drop or profile is stored, so that each of them
 * counts the earlier ones. The row of the drop is not locked, because buyers need it.
 * @param target the drop or profile, as in limitReports()
 */
export async function lockReports(tx: Context, target: string): Promise<void> {
  await tx.sql('lock-reports', `SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))`, { key: `report ${target}` })
}

export type ReviewedDrop = {
  id: number
  uniqueId: string
  customSlug: string | null
  userId: number
  title: string
  isOver: boolean
  /** An administrator removed the drop, or its account is closed. */
  isHidden: boolean
  /** An open edition cannot be launched again. */
  isOpenEdition: boolean
  startedAt: Date
  /** When a scheduled drop starts; null for a drop that has started. */
  startsAt: Date | null
  seller: { email: string; firstName: string; isAdmin: boolean; timezone: string }
}

/**
 * Decides an open review, and locks its drop. If several administrators decide at the same time, only the first one
 * succeeds, because the UPDATE changes only an open review. The rows of the seller, the drop and the review are locked
 * in this order, so that the decisions about two reviews of one drop cannot deadlock.
 * @throws REVIEW_NOT_FOUND, REVIEW_DECIDED
 */
export async function takeReview(
  tx: Context<UserActor>,
  reviewId: number,
  state: 'allowed' | 'refused',
): Promise<{ review: ModerationReview; drop: ReviewedDrop }> {
  const found = await tx.db.moderationReview.findUnique({ where: { id: reviewId }, select: { dropId: true } })
  if (!found) throw trustError('REVIEW_NOT_FOUND')
  await tx.db.$queryRaw`
    SELECT u."id" FROM "User" u JOIN "Drop" d ON d."userId" = u."id" WHERE d."id" = ${found.dropId}
       FOR NO KEY UPDATE OF u`
  const [drop] = await tx.db.$queryRaw<(Omit<ReviewedDrop, 'seller'> & ReviewedDrop['seller'])[]>`
    SELECT d."id", d."uniqueId", d."customSlug", d."userId", d."title", d."isOpenEdition", u."email", u."firstName", u."isAdmin", u."timezone",
           (d."endTime" <= now() OR d."archivedAt" IS NOT NULL OR d."hiddenAt" IS NOT NULL) AS "isOver",
           d."hiddenAt" IS NOT NULL AS "isHidden",
           d."startedAt", CASE WHEN d."startedAt" > now() THEN d."startedAt" END AS "startsAt"
      FROM "Drop" d JOIN "User" u ON u."id" = d."userId" WHERE d."id" = ${found.dropId} FOR UPDATE OF d`
  if (!drop) throw trustError('REVIEW_NOT_FOUND')
  const [review] = await tx.db.moderationReview.updateManyAndReturn({
    where: { id: reviewId, state: 'open' },
    data: { state, decidedAt: tx.clock.now(), decidedBy: tx.actor.userId },
  })
  if (!review) throw trustError('REVIEW_DECIDED')
  const { email, firstName, isAdmin, timezone, ...rest } = drop
  return { review, drop: { ...rest, seller: { email, firstName, isAdmin, timezone } } }
}
