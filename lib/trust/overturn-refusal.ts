import 'server-only'
import type { Context } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { dropReturnedMail } from './mails'

type RefusedDrop = { id: number; userId: number; title: string; uniqueId: string; customSlug: string | null }

/**
 * Takes back the strike of a drop that was refused by mistake, and notifies the seller; the caller restores the drop. A
 * suspension stays until somebody lifts it, because it may rest on other strikes. Call it with the seller's row locked.
 * @param key ensures that only one email is sent per decision.
 * @returns how many strikes were taken back.
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
