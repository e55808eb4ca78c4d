import 'server-only'
import type { ModerationReview } from '@prisma/client'
import { setModeration } from '@/lib/drops/set-moderation'
import { restartRun } from '@/lib/drops/start/restart-run'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recordAudit } from '@/lib/platform/record-audit'
import { assertModerator, takeReview } from './guards'
import { dropApprovedMail } from './mails'

/**
 * Approves a review. Unless another review still hides the drop, the drop is shown again and its seller gets an email.
 * A drop that nobody has seen yet gets its full running time from now. A drop that was live before keeps its end, and a
 * scheduled drop keeps its start. The approval of a report changes nothing about the drop, because a report does not
 * hide it.
 * @throws FORBIDDEN, TWO_FACTOR_REQUIRED, REVIEW_NOT_FOUND, REVIEW_DECIDED
 */
export async function approveReview(ctx: Context<UserActor>, { reviewId }: { reviewId: number }): Promise<void> {
  assertModerator(ctx)
  await transaction(ctx, async (tx) => {
    const { review, drop } = await takeReview(tx, reviewId, 'allowed')
    const open = await tx.db.moderationReview.count({
      where: { dropId: drop.id, state: 'open', source: { not: 'report' } },
    })
    await recordAudit(tx, {
      action: 'review.approve',
      targetType: 'drop',
      targetId: drop.id,
      after: { reviewId, category: review.category, source: review.source },
    })
    if (open > 0) return
    // A drop that was refused or removed for another reason in the meantime stays hidden.
    if (!(await setModeration(tx, drop.id, { from: 'review', to: 'allowed' }))) return
    // The seller already knows that a removed drop is not shown, and cannot relaunch it.
    if (drop.isHidden) return
    // The review of an edit may have begun before the start and ended after it. In this case, too, nobody has seen the
    // drop.
    const isUnseen = review.createdAt < drop.startedAt || (await wasHiddenSinceCreation(tx, review))
    const movesCodes = isUnseen && !drop.isOver && !drop.startsAt && (await restartRun(tx, drop.id))
    const url = drop.isOver ? `${ctx.appUrl}/` : `${ctx.appUrl}/drop/${drop.customSlug ?? drop.uniqueId}`
    const mail = dropApprovedMail(
      drop.seller,
      {
        title: drop.title,
        url,
        isLive: !drop.isOver,
        startsAt: drop.startsAt,
        isOpenEdition: drop.isOpenEdition,
        movesCodes,
      },
      reviewId,
    )
    await queueMail(tx, [mail])
  })
}

/**
 * Whether reviews have hidden the drop without a gap since it was created. The review of its creation may have been
 * decided while the review of an edit was still open.
 */
async function wasHiddenSinceCreation(tx: Pick<Context, 'db'>, review: ModerationReview): Promise<boolean> {
  if (review.source === 'create') return true
  const earlier = await tx.db.moderationReview.findMany({
    where: { dropId: review.dropId, source: { not: 'report' }, id: { not: review.id }, decidedAt: { not: null } },
    orderBy: { decidedAt: 'desc' },
  })
  let since = review.createdAt
  for (const { source, createdAt, decidedAt } of earlier) {
    if (!decidedAt || decidedAt < since) continue
    if (source === 'create') return true
    if (createdAt < since) since = createdAt
  }
  return false
}
