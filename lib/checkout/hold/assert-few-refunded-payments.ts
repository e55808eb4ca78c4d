import 'server-only'
import type { Context } from '@/lib/infra/context'
import { checkoutError } from '../messages'
import { failedPurchaseReasons, mismatchReasons } from '@/lib/orders/failed-purchase-reasons'

/**
 * How many payments that only lead to a refund, and that can be made on purpose, one network may make within a day:
 * payments above a limit per buyer, payments with an address outside the country of the order or without one, payments
 * for a drop that its seller ended in the meantime, and payments on pages that were kept open until the drop had sold
 * out. Each of them is refunded in full, but Stripe keeps its card fee, which the platform pays. Without this bound,
 * anyone could cause any number of such fees at no cost. The number leaves room for people who share a network and who
 * each make one mistake.
 */
const MOST_PER_DAY = 5
/** A payment after the sell-out counts less, because honest buyers make such payments in every rush. */
const SOLD_OUT_PART = 0.2
/** The reasons of such a payment. A drop with keys that has sold out has no key left. */
const SOLD_OUT: string[] = [failedPurchaseReasons.soldOut, failedPurchaseReasons.noKey]

/** A large payment counts as several, one for each of these amounts, because the card fee grows with it. */
const CENTS_PER_COUNT = 20_000

/** SQL: whether the refund `r` is from the last day and for such a payment. Its parameter is REFUND_REASONS. */
export const RECENTLY_REFUNDED = `r."createdAt" > now() - interval '1 day' AND r."reason" = ANY(:reasons::text[])`
export const REFUND_REASONS = {
  reasons: [
    failedPurchaseReasons.aboveLimit,
    failedPurchaseReasons.aboveCodeLimit,
    mismatchReasons.otherCountry,
    mismatchReasons.unservedAddress,
    failedPurchaseReasons.editionClosed,
    failedPurchaseReasons.offSale,
    ...SOLD_OUT,
    failedPurchaseReasons.beforeStart,
    failedPurchaseReasons.codeUsedUp,
  ],
}

/** How long a buyer should wait before trying again when large orders of the network are open, in seconds. */
const OPEN_SECONDS = 300

/**
 * SQL: what the open checkouts of a network count for, if all of them end in such a refund. Only what is above one
 * count each is added, so that many people who share a network can buy ordinary goods at the same time. Without it, one
 * network could open any number of large checkouts and then pay all of them. A checkout that yielded its units can
 * still be paid.
 */
const OPEN_COUNT = `(SELECT COALESCE(sum(GREATEST(0, o."amountCents" / ${CENTS_PER_COUNT}.0 - 1)), 0)::float8
       FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
      WHERE (h."originKey" = :originKey OR h."claimKey" = :originKey) AND o."paidAt" IS NULL
        AND h."id" IS DISTINCT FROM :exceptHoldId::text
        AND (h."state" = 'held' OR (h."state" = 'released' AND h."reason" = 'yielded' AND h."expiresAt" > now())))`

/**
 * Refuses a checkout from a network with too many such payments within the last day, or with large open checkouts
 * that could add to them (docs/product.md#limit-per-buyer). Call it only for a checkout that can end in such a
 * refund, because it costs a query.
 * @param from the network (originKeyOf()), and the buyer's own open checkout, which ends before the new one begins
 * @throws OFTEN_REFUNDED with the seconds until the oldest of these payments is a day old, LARGE_ORDERS_OPEN
 */
export async function assertFewRefundedPayments(
  { sql }: Pick<Context, 'sql'>,
  from: { originKey: string; exceptHoldId?: string | undefined },
): Promise<void> {
  const { originKey, exceptHoldId = null } = from
  const [found] = await sql<{ count: number; seconds: number | null; openCount: number }>(
    'refunded-payments',
    `SELECT COALESCE(sum(GREATEST(1, r."amountCents" / ${CENTS_PER_COUNT}.0) * CASE WHEN r."reason" = ANY(:soldOut::text[]) THEN ${SOLD_OUT_PART} ELSE 1 END), 0)::float8 AS "count",
            extract(epoch FROM min(r."createdAt") + interval '1 day' - now())::float8 AS "seconds", ${OPEN_COUNT} AS "openCount"
       FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id" JOIN "Refund" r ON r."orderId" = o."id"
      WHERE (h."originKey" = :originKey OR h."claimKey" = :originKey) AND ${RECENTLY_REFUNDED}`,
    { originKey, exceptHoldId, soldOut: SOLD_OUT, ...REFUND_REASONS },
  )
  if (!found) return
  if (found.count >= MOST_PER_DAY) {
    throw checkoutError('OFTEN_REFUNDED', { retryAfterSeconds: Math.ceil(found.seconds ?? 0) })
  }
  if (found.count + found.openCount >= MOST_PER_DAY) {
    throw checkoutError('LARGE_ORDERS_OPEN', { retryAfterSeconds: OPEN_SECONDS })
  }
}

/** Whether an open checkout of this amount counts (OPEN_COUNT). */
export function isLargeCheckout(amountCents: number): boolean {
  return amountCents > CENTS_PER_COUNT
}

/**
 * Makes the same check again in the transaction that opens a large checkout. Until that transaction ends, other large
 * checkouts of the network wait. Otherwise any number of them could be opened at the same moment, because none would
 * see the others.
 * @throws OFTEN_REFUNDED, LARGE_ORDERS_OPEN
 */
export async function assertFewLargeCheckouts(tx: Pick<Context, 'sql'>, originKey: string): Promise<void> {
  await tx.sql('lock-large-checkouts', `SELECT pg_advisory_xact_lock(hashtextextended('large-' || :originKey, 0))`, {
    originKey,
  })
  await assertFewRefundedPayments(tx, { originKey })
}
