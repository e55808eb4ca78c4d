import 'server-only'
import type { Drop } from '@prisma/client'
import { SUSPENDED } from '@/lib/accounts/queries'
import type { Context } from '@/lib/infra/context'
import type { AppError } from '@/lib/kernel/app-error'
import type { Plan } from '@/lib/kernel/plan'
import { planRules } from '@/lib/plans/rules'
import { platformError } from '@/lib/platform/messages'
import { dropSql } from './drop-sql'
import { dropError, limitText } from './messages'
import type { OptionValueRow } from './view'

export type LockedSeller = {
  id: number
  email: string
  firstName: string
  plan: Plan
  isAdmin: boolean
  isSuspended: boolean
  emailNotifications: boolean
  autoRenewDrops: boolean
  timezone: string
}

/**
 * Locks the seller's row but not its key, because orders for the seller's drops refer to the key and must not wait.
 * Always lock the seller's row before a drop's row, to avoid a deadlock.
 * @returns null when the account was deleted.
 */
export async function lockSeller(tx: Context, sellerId: number): Promise<LockedSeller | null> {
  const [seller] = await tx.sql<LockedSeller>(
    'lock-seller',
    `SELECT u."id", u."email", u."firstName", u."plan", u."isAdmin", u."emailNotifications", u."autoRenewDrops", u."timezone",
            ${SUSPENDED} AS "isSuspended"
       FROM "User" u WHERE u."id" = :sellerId AND u."deletedAt" IS NULL FOR NO KEY UPDATE`,
    { sellerId },
  )
  return seller ?? null
}

/**
 * Throws when the seller's plan allows no further running drop. Call it with the seller's row locked
 * (docs/product.md#active-drop-limit).
 * @throws LIMIT_REACHED
 */
export async function assertFreeSlot(tx: Context, seller: LockedSeller): Promise<void> {
  const limit = planRules(seller).activeDrops
  if ((await countRunning(tx, seller.id)) < limit) return
  throw dropError('LIMIT_REACHED', { text: limitText(limit) })
}

async function countRunning(tx: Context, sellerId: number): Promise<number> {
  const [running] = await tx.sql<{ count: number }>(
    'count-running-drops',
    `SELECT count(*)::int AS "count" FROM "Drop" d WHERE d."userId" = :sellerId AND ${dropSql.isRunning}`,
    { sellerId },
  )
  return running?.count ?? 0
}

/** A locked drop. `now` is the time, by the database's clock, at which the transaction began. */
export type LockedDrop = Drop & { now: Date }

/**
 * Locks a drop for its owner.
 * @throws NOT_FOUND when the drop does not exist, is hidden, or belongs to another seller.
 */
export async function lockOwnDrop(tx: Context, owner: { dropId: number; sellerId: number }): Promise<LockedDrop> {
  const [drop] = await tx.db.$queryRaw<LockedDrop[]>`
    SELECT d.*, now() AS "now" FROM "Drop" d
     WHERE d."id" = ${owner.dropId} AND d."userId" = ${owner.sellerId} AND d."hiddenAt" IS NULL FOR NO KEY UPDATE`
  if (!drop) throw dropError('NOT_FOUND')
  return drop
}

/**
 * Reads the values of a drop's option with their stock, in the seller's order. Call it with the drop's row locked.
 * Every statement that changes a value locks the drop first, so nothing changes until the transaction ends.
 */
export function readLockedValues(tx: Context, dropId: number): Promise<OptionValueRow[]> {
  return tx.sql<OptionValueRow>(
    'locked-option-values',
    `SELECT v."id", v."value", v."quantity", v."sold", v."held" FROM "OptionValue" v
      WHERE v."dropId" = :dropId ORDER BY v."position", v."id"`,
    { dropId },
  )
}

/** Returns the error for a file in a field that accepts none: there are too many pictures, or the field is unknown. */
export function unexpectedFile(field: string): AppError {
  return /^image\d+$/.test(field) ? dropError('TOO_MANY_IMAGES', { field }) : platformError('INVALID_INPUT', { field })
}
