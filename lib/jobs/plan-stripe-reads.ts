import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'

/**
 * The limits for sweeps that read from Stripe, counted in the database for all processes together. Stripe allows 500
 * reads per payment on average, and at least 10,000 a month (docs.stripe.com/rate-limits). The sweeps run every 15
 * seconds, so three reads in each run would add up to 518,000 a month.
 */
const whileBuying: RateLimit = { name: 'stripe-look-buying', points: 1, windowSeconds: 30 }
/**
 * How many runs of a day look at Stripe every half minute. One person can keep a checkout open all day without paying,
 * and would otherwise cause 172,000 reads a month.
 */
const ofDay: RateLimit = { name: 'stripe-look-day', points: 120, windowSeconds: 24 * 60 * 60 }
const afterThat: RateLimit = { name: 'stripe-look-slow', points: 1, windowSeconds: 10 * 60 }
const whileQuiet: RateLimit = { name: 'stripe-look-quiet', points: 1, windowSeconds: 2 * 60 * 60 }
const accounts: RateLimit = { name: 'stripe-look-accounts', points: 1, windowSeconds: 60 * 60 }

export type StripeReads = {
  /** Whether this run looks at Stripe for payments and subscriptions for which no webhook has arrived. */
  looksForLost: boolean
  /** Whether this run reads the accounts of sellers who have money waiting but cannot yet be paid out. */
  readsAccounts: boolean
}

/**
 * Decides what this run of the sweeps may read from Stripe even though nothing in the database calls for it. Payments
 * and subscriptions are read at most every half minute while someone is in checkout, and at most every two hours
 * otherwise. After an hour of such reads within a day, they are read every ten minutes while someone is in checkout.
 * Accounts are read at most once an hour.
 */
export async function planStripeReads(ctx: Context): Promise<StripeReads> {
  const [row] = await ctx.sql<{ isBuying: boolean }>(
    'is-anyone-in-checkout',
    `SELECT EXISTS (SELECT 1 FROM "Hold" WHERE "state" = 'held')
         OR EXISTS (SELECT 1 FROM "UpgradeCheckout" WHERE "expiresAt" > now()) AS "isBuying"`,
  )
  const isDue = async (limit: RateLimit) => (await consume(limit, 'all')) === null
  const looksForLost = row?.isBuying
    ? (await isDue(whileBuying)) && ((await isDue(ofDay)) || (await isDue(afterThat)))
    : await isDue(whileQuiet)
  return { looksForLost, readsAccounts: await isDue(accounts) }
}
