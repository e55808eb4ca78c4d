import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { HOUR_MS } from '@/lib/kernel/time'
import { refreshPayouts } from './refresh-payouts'

/**
 * How many accounts one run reads. Stripe allows 25 calls a second to one endpoint. With four runs a minute, this is
 * 28,800 accounts a day.
 */
const ACCOUNTS_PER_RUN = 5

/**
 * Up to this number of ready accounts, all are read daily. That is at most 6,200 of the 10,000 reads a month that
 * Stripe allows every platform (docs.stripe.com/rate-limits).
 */
const ALL_DAILY = 200

/**
 * After how long an account is read again on which Stripe has failed. Stripe may always fail on one account. If it were
 * due again right away, it would come first in every run, no other account would be read, and the reads of a month
 * would be used up in two days.
 */
const FAILED_PAUSE_MS = HOUR_MS

/**
 * Reads a few connected accounts that are ready, because the event about a restriction may have been lost. Each is read
 * daily. A platform with more than ALL_DAILY of them reads those without a sale in the last 30 days weekly, because
 * Stripe allows it only 500 reads per sale on average.
 * @returns how many accounts were read.
 */
export async function checkReadyAccounts(ctx: Context): Promise<number> {
  if (ctx.payments === 'off') return 0
  // The time of the next check is set before the call, so that an account that fails does not block the others.
  const due = await ctx.sql<{ id: number }>(
    'ready-accounts-due',
    `UPDATE "User" u SET "payoutsCheckDueAt" = now() + CASE WHEN EXISTS (
            SELECT 1 FROM "Transfer" t WHERE t."sellerId" = u."id" AND t."createdAt" > now() - interval '30 days')
          OR (SELECT count(*) FROM (SELECT FROM "User" r WHERE r."payoutsState" = 'ready' LIMIT :allDaily + 1) few) <= :allDaily
          THEN interval '1 day' ELSE interval '7 days' END
      WHERE u."id" IN (
        SELECT "id" FROM "User" WHERE "payoutsState" = 'ready' AND "stripeAccountId" IS NOT NULL
           AND ("payoutsCheckDueAt" IS NULL OR "payoutsCheckDueAt" <= now())
         ORDER BY "payoutsCheckDueAt" NULLS FIRST LIMIT :limit FOR UPDATE SKIP LOCKED)
      RETURNING u."id"`,
    { limit: ACCOUNTS_PER_RUN, allDaily: ALL_DAILY },
  )
  let read = 0
  const tried = new Set<number>()
  await eachUntilOutage(due, async ({ id }) => {
    tried.add(id)
    try {
      await refreshPayouts(ctx, id)
      read += 1
    } catch (error) {
      ctx.log.error({ sellerId: id, cause: String(error) }, 'payout account not read')
      if (!isStripeUnavailable(error)) return
      const soon = new Date(ctx.clock.now().getTime() + FAILED_PAUSE_MS)
      await ctx.db.user.update({ where: { id }, data: { payoutsCheckDueAt: soon } })
      throw error
    }
  }).catch(async (error: unknown) => {
    const rest = due.map(({ id }) => id).filter((id) => !tried.has(id))
    await ctx.db.user.updateMany({ where: { id: { in: rest } }, data: { payoutsCheckDueAt: null } })
    if (!isStripeUnavailable(error)) throw error
  })
  return read
}
