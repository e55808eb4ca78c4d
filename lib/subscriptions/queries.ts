import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { toPlanView, type PlanView } from './view'

/** Returns a seller's plan from our database, without a call to Stripe. */
export async function getPlan(ctx: Context, userId: number): Promise<PlanView> {
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId }, include: { subscription: true } })
  return toPlanView(user.plan, user.subscription, ctx.clock.now())
}

/** A subscription that has to be checked at Stripe, and the reasons. */
export type Stale = {
  customerId: string
  owesMoneyBack: boolean
  /** When the owner's account was closed, so that the subscription ends now; null for an open account. */
  closedAt: Date | null
  /** An administrator has ended Pro for this user, so the subscription must no longer be charged. */
  isUnwanted: boolean
}

/**
 * Lists subscriptions that have to be checked at Stripe: those past the end of a period or grace period, those with a
 * promised refund, and those of users who must not have Pro.
 */
export function listStale({ sql }: Database, limit: number): Promise<Stale[]> {
  return sql(
    'stale-subscriptions',
    `SELECT u."stripeCustomerId" AS "customerId", s."moneyBackAt" IS NOT NULL AND s."moneyBackDoneAt" IS NULL AS "owesMoneyBack",
            u."deletedAt" AS "closedAt",
            s."isEntitled" AND u."plan" = 'free' AND NOT s."cancelAtPeriodEnd" AS "isUnwanted"
       FROM "Subscription" s JOIN "User" u ON u."id" = s."userId"
      WHERE u."stripeCustomerId" IS NOT NULL AND ((s."status" <> 'canceled'
        AND (s."currentPeriodEnd" < now() - interval '2 minutes' OR s."cancelAt" < now() - interval '2 minutes'
          OR s."graceUntil" <= now() OR u."deletedAt" IS NOT NULL
          OR (s."isEntitled" AND u."plan" = 'free' AND NOT s."cancelAtPeriodEnd")))
        OR (s."moneyBackAt" IS NOT NULL AND s."moneyBackDoneAt" IS NULL
          AND (s."status" <> 'canceled' OR s."updatedAt" < now() - interval '1 hour')))
      ORDER BY random() LIMIT :limit`,
    { limit },
  )
}

/** Returns those of the given subscription ids that our database does not have. */
export async function listUnknownSubscriptions({ sql }: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }>(
    'unknown-subscriptions',
    `SELECT g."id" FROM unnest(:ids::text[]) AS g("id")
      WHERE NOT EXISTS (SELECT 1 FROM "Subscription" s WHERE s."stripeSubscriptionId" = g."id")`,
    { ids },
  )
  return new Set(rows.map((row) => row.id))
}
