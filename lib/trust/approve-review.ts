import 'server-only'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import type { UserActor } from '@/lib/kernel/actor'
import { recordAudit } from '@/lib/platform/record-audit'
import { assertModerator, takeReview } from './guards'
import { dropApprovedMail } from './mails'

/**
 * A person has looked, and it is fine. A drop that was held before anybody saw it gets the whole of its time from now;
 * one that was live before keeps its end.
 * @throws FORBIDDEN, REVIEW_NOT_FOUND, REVIEW_DECIDED
 */
export async function approveReview(ctx: Context<UserActor>, { reviewId }: { reviewId: number }): Promise<void> {
  assertModerator(ctx)
  await ctx.db.$transaction(async (tx) => {
    const { review, drop } = await takeReview(tx, ctx, reviewId, 'allowed')
    const open = await tx.moderationReview.count({
      where: { dropId: drop.id, state: 'open', source: { not: 'report' } },
    })
    await recordAudit(tx, ctx, {
      action: 'review.approve',
      targetType: 'drop',
      targetId: drop.id,
      after: { reviewId, category: review.category, source: review.source },
    })
    if (open > 0) return
    // Not what was refused or taken down for another reason meanwhile.
    const { count } = await tx.drop.updateMany({
      where: { id: drop.id, moderation: 'review' },
      data: { moderation: 'allowed' },
    })
    if (count === 0) return
    if (review.source === 'create' && !drop.isOver) {
      await tx.$executeRaw`
        UPDATE "Drop" SET "startedAt" = now(), "endTime" = now() + "duration" * interval '1 hour' WHERE "id" = ${drop.id}`
      await tx.$executeRaw`
        UPDATE "DropRun" r SET "startedAt" = d."startedAt", "endTime" = d."endTime"
          FROM "Drop" d WHERE d."id" = ${drop.id} AND r."dropId" = d."id" AND r."run" = d."run"`
    }
    const url = drop.isOver ? `${env().appUrl}/` : `${env().appUrl}/drop/${drop.customSlug ?? drop.uniqueId}`
    const mail = dropApprovedMail(drop.seller, { title: drop.title, url, isLive: !drop.isOver }, reviewId)
    await tx.outboxMail.createMany({ data: [mail], skipDuplicates: true })
  })
}
