import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { ReviewReason } from '@/lib/moderation/scan-drop'
import { setModeration } from './set-moderation'

/** What caused the review: the texts of a new drop, the texts of an edit, or a visitor's report. */
export type ReviewSource = 'create' | 'edit' | 'report'

/**
 * Withholds the texts of a drop and stops its sale until a person has reviewed it. Call it in the transaction of the
 * write that requires the review.
 */
export async function sendToReview(
  tx: Pick<Context, 'db'>,
  dropId: number,
  source: ReviewSource,
  reason: ReviewReason,
): Promise<void> {
  await tx.db.moderationReview.create({
    data: { dropId, source, category: reason.category, details: reason.details.slice(0, 2_000) },
  })
  await setModeration(tx, dropId, { to: 'review' })
}
