import 'server-only'
import type { Tx } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { dropReturnedMail } from './mails'

type RefusedDrop = { id: number; userId: number; title: string; uniqueId: string; customSlug: string | null }

/**
 * A drop that was refused comes back: that was a mistake, so its strike no longer counts, and the seller is told. A
 * suspension stays until somebody lifts it, because other strikes may stand behind it. Call it with the seller's row locked.
 * @param key makes it one mail per act.
 * @returns how many strikes were taken back.
 */
export async function overturnRefusal(tx: Tx, drop: RefusedDrop, key: string): Promise<number> {
  const { count } = await tx.strike.deleteMany({ where: { dropId: drop.id } })
  const seller = await tx.user.findUniqueOrThrow({ where: { id: drop.userId } })
  if (seller.deletedAt) return count
  const url = `${env().appUrl}/drop/${drop.customSlug ?? drop.uniqueId}`
  const mail = dropReturnedMail(seller, { title: drop.title, url, isStrikeTaken: count > 0 }, `${drop.id}:${key}`)
  await tx.outboxMail.createMany({ data: [mail], skipDuplicates: true })
  return count
}
