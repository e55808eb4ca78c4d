import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { sendTransfers } from './send-transfers'
import { settlePayouts } from './settle-payouts'
import { syncPayoutAccount } from './sync-payout-account'

const ACCOUNTS_PER_SWEEP = 20

/**
 * Does what a lost webhook or an earlier failure has left undone. It reads a few accounts that are not ready although
 * money waits for them, sends the payouts that are due, and settles those that refunds have changed.
 * @param readsAccounts whether to read accounts that are not ready from Stripe, which takes up to 20 reads.
 * @returns how many transfers were sent.
 */
export async function sweepPayouts(ctx: Context, { readsAccounts = true } = {}): Promise<number> {
  if (ctx.payments === 'off') return 0
  const unready = !readsAccounts
    ? []
    : await ctx.sql<{ id: number }>(
        'unready-payout-accounts',
        `SELECT u."id" FROM "User" u WHERE u."payoutsState" IN ('incomplete', 'review', 'paused') AND u."stripeAccountId" IS NOT NULL
        AND EXISTS (SELECT 1 FROM "Transfer" t WHERE t."sellerId" = u."id" AND t."state" = 'waiting')
      ORDER BY random() LIMIT :limit`,
        { limit: ACCOUNTS_PER_SWEEP },
      )
  for (const { id } of unready) {
    try {
      await syncPayoutAccount(ctx, id)
    } catch (error) {
      if (isStripeUnavailable(error)) throw error
      // A failing account must not block the payouts of other sellers.
      ctx.log.error({ sellerId: id, cause: String(error) }, 'payout account not read')
    }
  }
  const sent = await sendTransfers(ctx)
  await settlePayouts(ctx)
  return sent
}
