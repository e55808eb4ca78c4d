import 'server-only'
import type { ModerationState } from '@prisma/client'
import type { Context } from '@/lib/infra/context'

/**
 * Sets what moderation says about a drop, in the caller's transaction.
 * @param change.from only when it says this now; what somebody else has decided meanwhile stays.
 * @returns whether it was changed.
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
