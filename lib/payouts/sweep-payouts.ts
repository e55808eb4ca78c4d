import 'server-only'
import type { Context } from '@/lib/infra/context'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { sendTransfers } from './send-transfers'
import { settlePayouts } from './settle-payouts'
import { syncPayoutAccount } from './sync-payout-account'

/**
 * How many accounts a sweep reads, which it does once an hour (planStripeReads()): first those that were ready until
 * recently, and then those that were not read for the longest time. With the 6,200 reads of checkReadyAccounts(), these
 * are fewer than the 10,000 reads a month that Stripe allows every platform (docs.stripe.com/rate-limits).
 */
const ACCOUNTS_PER_SWEEP = 5

/**
 * Does what a lost webhook or an earlier failure has left undone. It reads a few accounts that are not ready although
 * money waits for them, sends the payouts that are due, and settles those that refunds have changed.
 * @param readsAccounts whether to read accounts that are not ready from Stripe, which takes up to 5 reads.
 * @returns how many transfers were sent.
 * @throws Stripe's error when Stripe is not available, after the other payouts were tried
 */
export async function sweepPayouts(ctx: Context, { readsAccounts = true } = {}): Promise<number> {
  if (ctx.payments === 'off') return 0
  let sent = 0
  const unready = !readsAccounts
    ? []
    : await ctx.sql<{ id: number }>(
        'unready-payout-accounts',
        `UPDATE "User" SET "payoutsCheckDueAt" = now() WHERE "id" IN (
           SELECT u."id" FROM "User" u
            WHERE u."payoutsState" IN ('incomplete', 'review', 'paused') AND u."stripeAccountId" IS NOT NULL
              AND EXISTS (SELECT 1 FROM "Transfer" t WHERE t."sellerId" = u."id" AND t."state" = 'waiting')
            ORDER BY u."payoutsCheckDueAt" > now() DESC NULLS FIRST, u."payoutsCheckDueAt" LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING "id"`,
        { limit: ACCOUNTS_PER_SWEEP },
      )
  // Neither an account nor a payout on which Stripe fails may keep the payouts after it from being sent and settled.
  try {
    await eachUntilOutage(unready, async ({ id }) => {
      try {
        await syncPayoutAccount(ctx, id)
      } catch (error) {
        if (isStripeUnavailable(error)) throw error
        ctx.log.error({ sellerId: id, cause: String(error) }, 'payout account not read')
      }
    })
  } finally {
    sent = await sendTransfers(ctx).finally(() => settlePayouts(ctx))
  }
  return sent
}
