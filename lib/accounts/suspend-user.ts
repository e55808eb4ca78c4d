import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recallStartMailsOfSeller } from '@/lib/notifications/recall-start-mails'
import { endSessions } from './end-sessions'

/**
 * Suspends a user, in the caller's transaction, and ends the sessions. The user can sign in again to fulfill orders and
 * to appeal (docs/product.md#sessions-and-devices, docs/product.md#suspended-accounts). A ban or a suspension that
 * lasts longer is not shortened. Queued emails about the user's drops are not sent to people who wait for them. The
 * user's row must be locked.
 * @param until the end of the suspension; null for a ban
 */
export async function suspendUser(
  tx: Context,
  userId: number,
  { until, reason }: { until: Date | null; reason: string },
): Promise<void> {
  const longer = until ? [{ suspendedUntil: { gt: until } }] : []
  await tx.db.user.updateMany({
    where: { id: userId, NOT: { isSuspended: true, OR: [{ suspendedUntil: null }, ...longer] } },
    data: { isSuspended: true, suspendedUntil: until, suspensionReason: reason },
  })
  await endSessions(tx, userId)
  await recallStartMailsOfSeller(tx, userId)
}

/** Lifts a suspension, in the caller's transaction. The user's row must be locked. */
export async function liftSuspension(tx: Context, userId: number): Promise<void> {
  const lifted = { isSuspended: false, suspendedUntil: null, suspensionReason: null }
  await tx.db.user.update({ where: { id: userId }, data: lifted })
}
