import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'

/**
 * Stripe allows 500 reads per payment on average, and at least 10,000 a month (docs.stripe.com/rate-limits). The sweeps run
 * every 15 seconds, so three reads in each would be 518,000 a month. The sweeps that read are counted in the database, for
 * all processes together.
 */
const whileBuying: RateLimit = { name: 'stripe-look-buying', points: 1, windowSeconds: 30 }
const whileQuiet: RateLimit = { name: 'stripe-look-quiet', points: 1, windowSeconds: 2 * 60 * 60 }
const accounts: RateLimit = { name: 'stripe-look-accounts', points: 1, windowSeconds: 60 * 60 }

export type StripeReads = {
  /** Whether this run asks Stripe for payments and subscriptions that nobody reported. */
  looksForLost: boolean
  /** Whether this run asks Stripe about the accounts of sellers who are not ready and have money waiting. */
  readsAccounts: boolean
}

/**
 * Decides what this run of the sweeps may read at Stripe although nothing in the database calls for it: payments and
 * subscriptions every half minute while somebody is in checkout and every two hours otherwise, and accounts once an hour.
 */
export async function planStripeReads(ctx: Context): Promise<StripeReads> {
  const [row] = await ctx.sql<{ isBuying: boolean }>(
    'is-anybody-in-checkout',
    `SELECT EXISTS (SELECT 1 FROM "Hold" WHERE "state" = 'held')
         OR EXISTS (SELECT 1 FROM "UpgradeCheckout" WHERE "expiresAt" > now()) AS "isBuying"`,
  )
  const pace = row?.isBuying ? whileBuying : whileQuiet
  const looksForLost = (await consume(pace, 'all')) === null
  return { looksForLost, readsAccounts: (await consume(accounts, 'all')) === null }
}
