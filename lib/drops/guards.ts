import 'server-only'
import type { Drop } from '@prisma/client'
import { SUSPENDED } from '@/lib/accounts/queries'
import type { Context } from '@/lib/infra/context'
import type { AppError } from '@/lib/kernel/app-error'
import type { Plan } from '@/lib/kernel/plan'
import { planRules } from '@/lib/plans/rules'
import { platformError } from '@/lib/platform/messages'
import { dropError, limitText } from './messages'
import { RUNNING_DROP } from './queries'

export type LockedSeller = {
  id: number
  email: string
  firstName: string
  plan: Plan
  isAdmin: boolean
  isSuspended: boolean
  emailNotifications: boolean
  autoRenewDrops: boolean
}

/**
 * Locks the seller's row, not its key: buyers of other drops refer to that and must not wait. Always before a drop's row.
 * @returns null when the account is gone.
 */
export async function lockSeller(tx: Context, sellerId: number): Promise<LockedSeller | null> {
  const [seller] = await tx.sql<LockedSeller>(
    'lock-seller',
    `SELECT u."id", u."email", u."firstName", u."plan", u."isAdmin", u."emailNotifications", u."autoRenewDrops",
            ${SUSPENDED} AS "isSuspended"
       FROM "User" u WHERE u."id" = :sellerId AND u."deletedAt" IS NULL FOR NO KEY UPDATE`,
    { sellerId },
  )
  return seller ?? null
}

/** Counts what a seller has running; call it with the seller's row locked (docs/product.md#active-drop-limit). @throws LIMIT_REACHED */
export async function assertFreeSlot(tx: Context, seller: LockedSeller): Promise<void> {
  const limit = planRules(seller).activeDrops
  if ((await countRunning(tx, seller.id)) < limit) return
  throw dropError('LIMIT_REACHED', { text: limitText(limit) })
}

async function countRunning(tx: Context, sellerId: number): Promise<number> {
  const [running] = await tx.sql<{ count: number }>(
    'count-running-drops',
    `SELECT count(*)::int AS "count" FROM "Drop" d WHERE d."userId" = :sellerId AND ${RUNNING_DROP}`,
    { sellerId },
  )
  return running?.count ?? 0
}

/** A drop under lock, with the database's time. */
export type LockedDrop = Drop & { now: Date }

/** Locks a drop of its owner's. @throws NOT_FOUND, also for what belongs to somebody else. */
export async function lockOwnDrop(tx: Context, owner: { dropId: number; sellerId: number }): Promise<LockedDrop> {
  const [drop] = await tx.db.$queryRaw<LockedDrop[]>`
    SELECT d.*, now() AS "now" FROM "Drop" d
     WHERE d."id" = ${owner.dropId} AND d."userId" = ${owner.sellerId} AND d."hiddenAt" IS NULL FOR NO KEY UPDATE`
  if (!drop) throw dropError('NOT_FOUND')
  return drop
}

/** What a file in a field that carries none is answered: one more picture than there may be, or nothing we know. */
export function unexpectedFile(field: string): AppError {
  return /^image\d+$/.test(field) ? dropError('TOO_MANY_IMAGES', { field }) : platformError('INVALID_INPUT', { field })
}
