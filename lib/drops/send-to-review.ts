import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { ReviewReason } from '@/lib/moderation/scan-drop'
import { dropError } from './messages'
import { setModeration } from './set-moderation'

/** What caused the review: the texts of a new drop, the texts of an edit, or a visitor's report. */
export type ReviewSource = 'create' | 'edit' | 'report'

/**
 * How many edits of one drop may wait for a review. A person decides each of them, so without a limit one seller could
 * keep everyone else's drops in the queue.
 */
const MOST_EDITS = 5

/**
 * Withholds the texts of a drop and stops its sale until a person has reviewed it. Call it in the transaction of the
 * write that requires the review, with the drop's row locked unless the drop is new.
 * @throws REVIEW_WAITS when too many edits of the drop wait already
 */
export async function sendToReview(
  tx: Pick<Context, 'db'>,
  dropId: number,
  source: ReviewSource,
  reason: ReviewReason,
): Promise<void> {
  if (
    source === 'edit' &&
    (await tx.db.moderationReview.count({ where: { dropId, source, state: 'open' } })) >= MOST_EDITS
  )
    throw dropError('REVIEW_WAITS')
  await tx.db.moderationReview.create({
    data: { dropId, source, category: reason.category, details: reason.details.slice(0, 2_000) },
  })
  await setModeration(tx, dropId, { to: 'review' })
}
