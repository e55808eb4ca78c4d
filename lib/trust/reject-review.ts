import 'server-only'
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
 * A person has looked, and it may not be sold: the drop is removed, its seller gets a strike with what the policy says
 * follows (docs/product.md#scanner), the mail and the audit entry, all or nothing.
 * @returns what followed for the seller; 'none' for an administrator's own drop.
 * @throws FORBIDDEN, REVIEW_NOT_FOUND, REVIEW_DECIDED, CATEGORY_MISSING
 */
export async function rejectReview(ctx: Context<UserActor>, input: RejectReviewInput): Promise<Penalty | 'none'> {
  assertModerator(ctx)
  return transaction(ctx, async (tx) => {
    const { review, drop } = await takeReview(tx, input.reviewId, 'refused')
    const category = input.category ?? review.category
    // Its seller is told which; a report for something else, or a check that did not answer, names none.
    if (!isCategory(category)) throw trustError('CATEGORY_MISSING')
    await removeDrop(tx, drop.id)
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

/** Hidden, kept for buyers and books (docs/product.md#removing-drops-and-accounts); what else was open about it is decided with it. */
async function removeDrop(tx: Context<UserActor>, dropId: number): Promise<void> {
  const now = tx.clock.now()
  await hideDrops(tx, [dropId])
  await setModeration(tx, dropId, { to: 'refused' })
  await tx.db.moderationReview.updateMany({
    where: { dropId, state: 'open' },
    data: { state: 'refused', decidedAt: now, decidedBy: tx.actor.userId },
  })
}

/** The seller's row is locked already: two strikes at once are a first and a second one. */
async function strike(tx: Context<UserActor>, drop: ReviewedDrop, category: string): Promise<Penalty> {
  const isSevere = isSevereCategory(category)
  await tx.db.strike.create({
    data: { userId: drop.userId, dropId: drop.id, category, isSevere, createdBy: tx.actor.userId },
  })
  const penalty = penaltyFor(await tx.db.strike.count({ where: { userId: drop.userId } }), isSevere)
  if (penalty === 'warning') return penalty
  const suspendedUntil = penalty === 'ban' ? null : new Date(tx.clock.now().getTime() + SUSPENSION_MS)
  // A ban is never shortened to thirty days by what comes after it, nor is a suspension that lasts longer.
  const longer = suspendedUntil ? [{ suspendedUntil: { gt: suspendedUntil } }] : []
  await tx.db.user.updateMany({
    where: { id: drop.userId, NOT: { isSuspended: true, OR: [{ suspendedUntil: null }, ...longer] } },
    data: { isSuspended: true, suspendedUntil, suspensionReason: `Prohibited content: ${categoryLabel(category)}` },
  })
  // Logging in again is possible, to fulfil and to appeal (docs/product.md#sessions-and-devices, docs/product.md#suspended-accounts).
  await tx.db.session.updateMany({
    where: { userId: drop.userId, revokedAt: null },
    data: { revokedAt: tx.clock.now() },
  })
  return penalty
}
