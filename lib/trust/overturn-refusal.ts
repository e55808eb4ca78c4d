import 'server-only'
import type { Context } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { dropReturnedMail } from './mails'

type RefusedDrop = { id: number; userId: number; title: string; uniqueId: string; customSlug: string | null }

/**
 * Deletes the strike for a drop that was refused by mistake, and notifies the seller. The caller restores the drop, and
 * must have locked the seller's row. A suspension stays until an administrator lifts it, because other strikes may
 * justify it.
 * @param key ensures that only one email is sent per decision.
 * @returns how many strikes were deleted.
 */
export async function overturnRefusal(tx: Context, drop: RefusedDrop, key: string): Promise<number> {
  const { count } = await tx.db.strike.deleteMany({ where: { dropId: drop.id } })
  const seller = await tx.db.user.findUniqueOrThrow({ where: { id: drop.userId } })
  if (seller.deletedAt) return count
  const url = `${tx.appUrl}/drop/${drop.customSlug ?? drop.uniqueId}`
  const mail = dropReturnedMail(seller, { title: drop.title, url, isStrikeTaken: count > 0 }, `${drop.id}:${key}`)
  await queueMail(tx, [mail])
  return count
}
