import 'server-only'
import type { ModerationState } from '@prisma/client'
import type { Context } from '@/lib/infra/context'

/**
 * Sets the moderation status of a drop in the caller's transaction.
 * @param change.from the status that the drop must have now, so that another person's decision is not overwritten.
 * @returns whether the status was changed.
 */
export async function setModeration(
  tx: Pick<Context, 'db'>,
  dropId: number,
  change: { from?: ModerationState; to: ModerationState },
): Promise<boolean> {
  const where = { id: dropId, ...(change.from ? { moderation: change.from } : {}) }
  const { count } = await tx.db.drop.updateMany({ where, data: { moderation: change.to } })
  return count > 0
}
