import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Hold } from '@/lib/moderation/scan-drop'
import { setModeration } from './set-moderation'

/** What caused the review: the seller's own texts when creating or editing, or a buyer's report. */
export type ReviewSource = 'create' | 'edit' | 'report'

/**
 * Hides a drop from the public until a person has reviewed it. Runs in the transaction of the write that made this
 * necessary.
 */
export async function holdDrop(
  tx: Pick<Context, 'db'>,
  dropId: number,
  source: ReviewSource,
  hold: Hold,
): Promise<void> {
  await tx.db.moderationReview.create({
    data: { dropId, source, category: hold.category, details: hold.details.slice(0, 2_000) },
  })
  await setModeration(tx, dropId, { to: 'review' })
}
