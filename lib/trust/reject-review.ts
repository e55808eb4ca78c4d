import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { suspendUser } from '@/lib/accounts/suspend-user'
import { hideDrops } from '@/lib/drops/hide-drops'
import { setModeration } from '@/lib/drops/set-moderation'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { categoryLabel, isCategory } from '@/lib/moderation/messages'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recordAudit } from '@/lib/platform/record-audit'
import { assertModerator, type ReviewedDrop, takeReview } from './guards'
import { dropRemovedMail } from './mails'
import { trustError } from './messages'
import { isSevereCategory, type Penalty, penaltyFor, SUSPENSION_MS } from './rules'
import type { RejectReviewInput } from './schema'

/**
 * Rejects a drop: removes it, gives its seller a strike with the penalty for it (docs/product.md#scanner) and queues an
 * email. An administrator gets no strike. All of this and the audit entry are written in one transaction.
 * It needs a recent second factor, because it stops a sale and can suspend the seller.
 * @returns the penalty for the seller; 'none' for an administrator's own drop.
 * @throws FORBIDDEN, TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED, REVIEW_NOT_FOUND, REVIEW_DECIDED, CATEGORY_MISSING
 */
export async function rejectReview(ctx: Context<UserActor>, input: RejectReviewInput): Promise<Penalty | 'none'> {
  assertModerator(ctx)
  assertSteppedUp(ctx)
  return transaction(ctx, async (tx) => {
    const { review, drop } = await takeReview(tx, input.reviewId, 'refused')
    const category = input.category ?? review.category
    // The email names the category. A report with the reason `other`, and a text that the outside moderator did not
    // check, have no category, so the reviewer must choose one.
    if (!isCategory(category)) throw trustError('CATEGORY_MISSING')
    await hideRefusedDrop(tx, drop.id)
    const penalty = drop.seller.isAdmin ? 'none' : await strike(tx, drop, category)
    await recordAudit(tx, {
      action: 'review.reject',
      targetType: 'drop',
      targetId: drop.id,
      after: { reviewId: review.id, category, penalty },
    })
    const { appUrl } = ctx
    const mail = dropRemovedMail(drop.seller, { title: drop.title, category, appUrl }, penalty, review.id)
    await queueMail(tx, [mail])
    return penalty
  })
}

/**
 * Hides the drop but keeps it for its buyers and for accounting (docs/product.md#removing-drops-and-accounts). Also
 * decides the other open reviews of the drop.
 */
async function hideRefusedDrop(tx: Context<UserActor>, dropId: number): Promise<void> {
  const now = tx.clock.now()
  await hideDrops(tx, [dropId])
  await setModeration(tx, dropId, { to: 'refused' })
  await tx.db.moderationReview.updateMany({
    where: { dropId, state: 'open' },
    data: { state: 'refused', decidedAt: now, decidedBy: tx.actor.userId },
  })
}

/**
 * Adds a strike, and suspends the seller and ends the sessions if necessary. The seller's row is already locked, so two
 * simultaneous strikes count as a first and a second one.
 */
async function strike(tx: Context<UserActor>, drop: ReviewedDrop, category: string): Promise<Penalty> {
  const isSevere = isSevereCategory(category)
  await tx.db.strike.create({
    data: { userId: drop.userId, dropId: drop.id, category, isSevere, createdBy: tx.actor.userId },
  })
  const penalty = penaltyFor(await tx.db.strike.count({ where: { userId: drop.userId } }), isSevere)
  if (penalty === 'warning') return penalty
  const until = penalty === 'ban' ? null : new Date(tx.clock.now().getTime() + SUSPENSION_MS)
  await suspendUser(tx, drop.userId, { until, reason: `Prohibited content: ${categoryLabel(category)}` })
  return penalty
}
