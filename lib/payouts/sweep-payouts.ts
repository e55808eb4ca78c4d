import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sendTransfers } from './send-transfers'
import { settleShares } from './settle-shares'
import { syncPayoutAccount } from './sync-payout-account'

const ACCOUNTS_PER_SWEEP = 20

/**
 * What webhooks should have done and did not, and what failed before: looks at a few accounts that are not ready while
 * money waits for them, sends what is due, takes back what is owed.
 * @returns how many transfers were sent.
 */
export async function sweepPayouts(ctx: Context): Promise<number> {
  if (ctx.payments === 'off') return 0
  const unready = await ctx.sql<{ id: number }>(
    'unready-payout-accounts',
    `SELECT u."id" FROM "User" u WHERE u."payoutsState" IN ('incomplete', 'review', 'paused') AND u."stripeAccountId" IS NOT NULL
        AND EXISTS (SELECT 1 FROM "Transfer" t WHERE t."sellerId" = u."id" AND t."state" = 'waiting')
      ORDER BY random() LIMIT :limit`,
    { limit: ACCOUNTS_PER_SWEEP },
  )
  for (const { id } of unready) await syncPayoutAccount(ctx, id)
  const sent = await sendTransfers(ctx)
  await settleShares(ctx)
  return sent
}
