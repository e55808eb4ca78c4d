import 'server-only'
import { MIN_PRICE_CENTS } from '@/lib/kernel/money'

const offCents = (priceCents: string) =>
  `(CASE WHEN c."percent" IS NULL THEN c."offCents" ELSE ((${priceCents}::bigint * c."percent" + 50) / 100)::int END)`

/** The uses that no paid order has, including those in checkout; NULL for a code without a limit. */
const UNSOLD = `(c."maxUses" - c."used" + c."held")`
const IS_CURRENT = `(c."endedAt" IS NULL AND (c."endsAt" IS NULL OR c."endsAt" > now()))`

/**
 * All arithmetic on the uses of a discount code, as parts of SQL statements over a "DiscountCode" row `c` (ADR 0055).
 * Every transaction that changes a code first locks the row of the code's drop, so that two transactions cannot
 * deadlock.
 */
export const codeSql = {
  /** Whether one more order may use the code. */
  isFree: `(c."maxUses" IS NULL OR c."used" < c."maxUses")`,
  /** Whether the seller has not ended the code and the code has not expired. */
  isCurrent: IS_CURRENT,
  unsold: UNSOLD,
  /** isCrowded() of ./rules in SQL. An order takes one use, however many units it has. */
  isCrowded: `COALESCE(c."held" * 2 > ${UNSOLD}, false)`,
  /**
   * The number of uses in checkout beyond half of those that no paid order has. It is zero when nobody else could use
   * them: for a code without a limit, and for one that has ended.
   */
  excess: `(CASE WHEN c."maxUses" IS NULL OR NOT ${IS_CURRENT} THEN 0 ELSE c."held" - GREATEST(1, ${UNSOLD} / 2) END)`,
  /** The discount on one unit, as discountOf() computes it: in cents, with a percentage rounded half up to a cent. */
  offCents,
  /** Whether the reduced price is high enough for a card payment, as isChargeable() decides. */
  isChargeable: (priceCents: string) => `(${priceCents} - ${offCents(priceCents)} >= ${MIN_PRICE_CENTS})`,
  /** Assignment for an order that takes a use. Needs the condition `isFree`. */
  take: `"used" = c."used" + 1, "held" = c."held" + 1`,
  /**
   * Assignment for an order that ended unpaid, which frees its use. GREATEST is needed because a process of an older
   * version, which may run beside this process, may not have counted the use. A negative number would fail the
   * statement, which also has to free the order's units.
   */
  release: `"used" = GREATEST(c."used" - 1, 0), "held" = GREATEST(c."held" - 1, 0)`,
  /** The same for several orders together. */
  releaseSome: (uses: string) => `"used" = GREATEST(c."used" - ${uses}, 0), "held" = GREATEST(c."held" - ${uses}, 0)`,
  /** Assignment for a paid order that already has a use. */
  sellHeld: (cents: string) => `"held" = GREATEST(c."held" - 1, 0), "discountedCents" = c."discountedCents" + ${cents}`,
  /** Assignments for a paid order whose use was freed before. They need the condition `isFree`. */
  sellFree: (cents: string) => `"used" = c."used" + 1, "discountedCents" = c."discountedCents" + ${cents}`,
  /** Assignment: since when too many uses have been in checkout, or NULL if they are not (ADR 0050). */
  contestedSince: (time: string) => `"contestedSince" = ${time}`,
} as const
