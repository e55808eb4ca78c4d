import 'server-only'
import type { Context } from '@/lib/infra/context'
import { orderError } from './messages'
import { originKeyOf } from './origin-of'
import { ABOVE_CODE_LIMIT, ABOVE_LIMIT } from './rules'

/**
 * How many payments above a limit per buyer one network may make within a day. Each of them is refunded in full, but Stripe
 * keeps its card fee, which the platform pays. Without this bound, anyone could cause any number of such fees at no cost.
 * The number leaves room for people who share a network and who each misjudge the limit once.
 */
const MOST_PER_DAY = 5

/** SQL: whether `r` is a refund from the last day for a payment above a limit per buyer. Its parameters are ABOVE_LIMITS. */
export const RECENTLY_ABOVE_LIMIT = `r."createdAt" > now() - interval '1 day' AND r."reason" IN (:aboveLimit, :aboveCodeLimit)`
export const ABOVE_LIMITS = { aboveLimit: ABOVE_LIMIT, aboveCodeLimit: ABOVE_CODE_LIMIT }

/**
 * Refuses a checkout from a network that made too many payments above a limit per buyer within the last day
 * (docs/product.md#limit-per-buyer). Call it only for a drop or a code that has such a limit.
 * @throws OFTEN_ABOVE_LIMIT with the seconds until the oldest of these payments is a day old
 */
export async function assertFewAboveLimit(ctx: Context, buyerKey: string): Promise<void> {
  const [found] = await ctx.sql<{ count: number; seconds: number | null }>(
    'often-above-limit',
    `SELECT count(*)::int AS "count", extract(epoch FROM min(r."createdAt") + interval '1 day' - now())::float8 AS "seconds"
       FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id" JOIN "Refund" r ON r."orderId" = o."id"
      WHERE h."originKey" = :originKey AND ${RECENTLY_ABOVE_LIMIT}`,
    { originKey: originKeyOf(ctx, buyerKey), ...ABOVE_LIMITS },
  )
  if (!found || found.count < MOST_PER_DAY) return
  throw orderError('OFTEN_ABOVE_LIMIT', { retryAfterSeconds: Math.ceil(found.seconds ?? 0) })
}
