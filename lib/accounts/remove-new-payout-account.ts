import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { recordAudit } from '@/lib/platform/record-audit'

/**
 * Removes a connected Stripe account that was created at `since` or later, because an intruder may have created it
 * (ADR 0069). No money is sent to it anymore. Connecting again creates another account, because the number of tries is
 * a part of the idempotency key. The caller must hold a lock on the row.
 */
export async function removeNewPayoutAccount(tx: Context, user: User, since: Date): Promise<void> {
  const { id, stripeAccountId, payoutsConnectedAt, payoutsReadyAt } = user
  if (!stripeAccountId || !payoutsConnectedAt || payoutsConnectedAt < since) return
  // A time after the connection belongs to the removed account, so it is cleared.
  const wasReady = payoutsReadyAt !== null && payoutsReadyAt < payoutsConnectedAt
  await tx.db.user.update({
    where: { id },
    data: {
      stripeAccountId: null,
      payoutsState: wasReady ? 'disconnected' : 'notStarted',
      payoutsReadyAt: wasReady ? payoutsReadyAt : null,
      payoutsConnectedAt: null,
      payoutsHeldUntil: null,
      stripeAccountTry: { increment: 1 },
    },
  })
  await recordAudit(tx, {
    action: 'user.payouts-undone',
    targetType: 'user',
    targetId: id,
    before: { stripeAccountId },
    after: { stripeAccountId: null },
  })
  tx.log.warn(
    { userId: id, stripeAccountId },
    'new payout account removed, because the owner recovered the user account',
  )
}
