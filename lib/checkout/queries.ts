import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import type { Database, Db } from '@/lib/infra/db'
import { codeSql } from '@/lib/stock/code-sql'
import { isPaymentIntent } from './rules'

/** A pending order whose units are held, with everything that its Stripe session shows. */
export type HeldOrder = {
  holdId: string
  orderId: string
  token: string
  /** The text that the order stores for what is sold: the title of the drop, with the chosen value in parentheses. */
  title: string
  /** The chosen value of the drop's option, as the order stores it; both fields are null without options. */
  optionName: string | null
  optionValue: string | null
  /** The discount code, and the cents that it takes off all units together; null and 0 without a code. */
  discountCode: string | null
  discountCents: number
  /** The country that the order is shipped to, and the surcharge for it; null and 0 without zones. */
  shipsTo: string | null
  shippingCents: number
  amountCents: number
  /**
   * The price of one unit for this buyer, stored with the order. The amount that Stripe charges is calculated from this
   * price and never from the drop's.
   */
  unitPriceCents: number
  expiresAt: Date
  /**
   * Whether more than half of the unsold units of the drop or of the value, or of the uses of the code, were unpaid
   * when this hold was taken, or whether it took the last unit with a proof of work. The units may then go back on sale
   * before the hold ends. The checkout can still be paid afterwards (ADR 0050).
   */
  isContested: boolean
}

export type OpenCheckout = HeldOrder & {
  quantity: number
  valueId: number | null
  codeId: number | null
  mode: CheckoutMode
  /** The newest tap on a wallet's button that uses this hold; null for every other checkout. */
  tapId: string | null
  /** The Stripe session or, for the embedded checkout, the payment intent. It is null until Stripe has responded. */
  stripeId: string | null
  checkoutUrl: string | null
  /**
   * How long this checkout has kept its units, as a fraction of ten minutes, at most 1. If the checkout ends unpaid
   * now, this is its weight among the network's unpaid checkouts.
   */
  keptPart: number
  isExpired: boolean
  isHeld: boolean
  /** Whether the units went back on sale. The checkout can still be paid while units are left. */
  isYielded: boolean
  /**
   * How many milliseconds this buyer still waits in line for a session: negative when it is the buyer's turn, null when
   * the buyer does not wait.
   */
  waitMs: number | null
  /** How many milliseconds ago the units were held, or held again after Stripe had not responded. */
  ageMs: number
  /**
   * Whether another call took the hold in the last 15 seconds and is waiting for Stripe. A call that takes longer
   * counts as dead.
   */
  isOpening: boolean
}

/** SQL: whether a hold `h` was yielded. Its units went back on sale, and its checkout stays open until it expires. */
export const YIELDED = `(h."state" = 'released' AND h."reason" = 'yielded')`

/** A checkout that ends unpaid after this time has its full weight, see keptPart. */
export const KEPT_WHOLE_SECONDS = 600

/** SQL: how long a hold `h` had kept its units at the time `until`, as a fraction of ten minutes, at most 1. */
export const keptPart = (until: string) =>
  `LEAST(1, extract(epoch FROM ${until} - h."createdAt") / ${KEPT_WHOLE_SECONDS})`

/** SQL: whether a call that opens the checkout of a hold `h` at Stripe may still be under way. */
export const BEGAN_LATELY = `GREATEST(h."createdAt", h."openingSince") > now() - interval '15 seconds'`

const OPEN_CHECKOUT = `
  SELECT o."id" AS "orderId", o."token", h."id" AS "holdId", h."quantity", o."dropTitle" AS "title",
         o."optionName", o."optionValue", h."valueId", h."codeId", o."discountCode", o."discountCents", o."shipsTo", o."shippingCents",
         o."amountCents", o."unitPriceCents", h."mode", h."tapId", o."checkoutUrl",
         COALESCE(o."stripeSessionId", o."stripePaymentIntentId") AS "stripeId",
         h."expiresAt", ${keptPart('now()')}::float8 AS "keptPart", h."isContested", h."expiresAt" <= now() AS "isExpired", h."state" = 'held' AS "isHeld",
         ${YIELDED} AS "isYielded",
         (extract(epoch FROM h."opensAt" - now()) * 1000)::float8 AS "waitMs",
         (extract(epoch FROM now() - GREATEST(h."createdAt", h."openingSince")) * 1000)::float8 AS "ageMs",
         COALESCE(o."stripeSessionId", o."stripePaymentIntentId") IS NULL AND h."opensAt" IS NULL
           AND ${BEGAN_LATELY} AS "isOpening"
    FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"`

/**
 * SQL: whether a hold `h` was released in the last five minutes because Stripe did not respond, and has more than a
 * minute left. Its buyer may resume it.
 */
export const UNANSWERED = `h."state" = 'released' AND h."reason" = 'stripe-away'
  AND h."settledAt" > now() - interval '5 minutes' AND h."expiresAt" > now() + interval '1 minute'`

/**
 * Finds the checkout that a buyer has open for a drop, and the newest one that Stripe left unanswered in the last
 * minutes. A checkout whose units went back on sale counts as open if Stripe has created its session or payment intent.
 */
export async function findBuyersCheckout(
  { sql }: Database,
  dropId: number,
  buyerKey: string,
): Promise<{ open: OpenCheckout | null; unanswered: OpenCheckout | null }> {
  const rows = await sql<OpenCheckout>(
    'buyers-checkouts',
    `${OPEN_CHECKOUT} WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND (h."state" = 'held' OR ${UNANSWERED} OR ${YIELDED})
      ORDER BY h."createdAt" DESC`,
    { dropId, buyerKey },
  )
  return {
    open:
      rows.find(({ isHeld }) => isHeld) ??
      rows.find(({ isYielded, stripeId }) => isYielded && stripeId !== null) ??
      null,
    unanswered: rows.find(({ isHeld, isYielded }) => !isHeld && !isYielded) ?? null,
  }
}

/** Finds the checkout of a buyer for a drop, if its units are held. */
export async function findOpenCheckout(
  { sql }: Database,
  dropId: number,
  buyerKey: string,
): Promise<OpenCheckout | null> {
  const [row] = await sql<OpenCheckout>(
    'open-checkout',
    `${OPEN_CHECKOUT} WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND h."state" = 'held'`,
    { dropId, buyerKey },
  )
  return row ?? null
}

/** Lists the drops that have expired checkouts without a session or payment intent at Stripe, which nobody can pay. */
export function listDropsWithUnopened({ sql }: Database): Promise<{ dropId: number }[]> {
  return sql<{ dropId: number }>(
    'drops-with-unopened',
    `SELECT DISTINCT h."dropId" FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
      WHERE h."state" = 'held' AND h."expiresAt" <= now() AND ${IS_UNOPENED}`,
  )
}

/** SQL: whether Stripe has neither a session nor a payment intent for the order `o`. */
export const IS_UNOPENED = `o."stripeSessionId" IS NULL AND o."stripePaymentIntentId" IS NULL`

/**
 * Lists some of the open checkouts that have expired. Their order is random, so that checkouts that keep failing do not
 * block the rest.
 */
export function listOverdueCheckouts({ sql }: Database, limit: number): Promise<OpenCheckout[]> {
  return sql<OpenCheckout>(
    'overdue-checkouts',
    `${OPEN_CHECKOUT} WHERE (h."state" = 'held' OR ${YIELDED}) AND h."expiresAt" <= now() ORDER BY random() LIMIT :limit`,
    { limit },
  )
}

/**
 * Lists some of the checkouts that can still be paid although their units went back on sale and were sold to others,
 * although others have paid with the last uses of their discount code, or although their drop was deleted since. Such a
 * payment could only be refunded, and Stripe would keep its fee.
 */
export function listOutsoldCheckouts({ sql }: Database, limit: number): Promise<OpenCheckout[]> {
  return sql<OpenCheckout>(
    'outsold-checkouts',
    `${OPEN_CHECKOUT} JOIN "Drop" d ON d."id" = h."dropId" LEFT JOIN "OptionValue" v ON v."id" = h."valueId"
       LEFT JOIN "DiscountCode" c ON c."id" = h."codeId"
      WHERE ${YIELDED} AND h."expiresAt" > now()
        AND (d."quantity" - d."sold" < h."quantity" OR v."quantity" - v."sold" < h."quantity" OR ${codeSql.unsold} <= 0
             OR d."hiddenAt" IS NOT NULL
             OR (d."isNumbered" OR d."isOpenEdition") AND (d."run" <> h."run" OR d."endTime" <= now()))
      ORDER BY random() LIMIT :limit`,
    { limit },
  )
}

/**
 * Returns those of the given orders that our database does not show as paid, or whose card fee is not known yet. An
 * order whose payment is refunded because it differs from the order is never paid, so it is left out.
 */
export async function listUnsettledOrderIds({ sql }: Database, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }>(
    'unsettled-orders',
    `SELECT o."id" FROM "Order" o WHERE o."id" = ANY(:orderIds) AND (o."paidAt" IS NULL OR o."cardFeeCents" IS NULL)
        AND NOT EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'mismatch')`,
    { orderIds },
  )
  return new Set(rows.map((row) => row.id))
}

/**
 * Lists some payments whose card fee Stripe had not reported when they were settled. After a week they are no longer
 * checked.
 */
export function listPaymentsWithoutFee({ sql }: Database, limit: number): Promise<{ stripeId: string }[]> {
  return sql<{ stripeId: string }>(
    'payments-without-fee',
    `SELECT coalesce("stripeSessionId", "stripePaymentIntentId") AS "stripeId" FROM "Order"
      WHERE "paidAt" IS NOT NULL AND "cardFeeCents" IS NULL AND "paidAt" > now() - interval '7 days'
        AND coalesce("stripeSessionId", "stripePaymentIntentId") IS NOT NULL
      ORDER BY random() LIMIT :limit`,
    { limit },
  )
}

/** Finds an order by the id in the success page's URL: a session or, for the embedded checkout, a payment intent. */
export function findOrderByPayment(db: Db, stripeId: string) {
  const where = isPaymentIntent(stripeId) ? { stripePaymentIntentId: stripeId } : { stripeSessionId: stripeId }
  return db.order.findUnique({ where })
}
