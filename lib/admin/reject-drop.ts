import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { rejectReview } from '@/lib/trust/reject-review'
import type { Penalty } from '@/lib/trust/rules'
import type { RejectReviewInput } from '@/lib/trust/schema'

/**
 * Rejects a drop in review, and then closes its unpaid checkouts.
 * @returns the penalty for the seller, or 'none' for an administrator's own drop.
 * @throws FORBIDDEN, TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED, REVIEW_NOT_FOUND, REVIEW_DECIDED, CATEGORY_MISSING
 */
export async function rejectDrop(ctx: Context<UserActor>, input: RejectReviewInput): Promise<Penalty | 'none'> {
  const review = await ctx.db.moderationReview.findUnique({ where: { id: input.reviewId } })
  const penalty = await rejectReview(ctx, input)
  if (review) await closeOpenCheckouts(ctx, { dropId: review.dropId })
  return penalty
}
