import 'server-only'
import { MIN_PRICE_CENTS } from '@/lib/kernel/money'

/** What the code takes off one unit. */
const offCents = (priceCents: string) =>
  `(CASE WHEN c."percent" IS NULL THEN c."offCents" ELSE ((${priceCents}::bigint * c."percent" + 50) / 100)::int END)`

/**
 * The only arithmetic on the uses of a discount code, as parts of SQL statements over a "DiscountCode" row `c` (ADR 0055). Every
 * statement that changes a code has locked the row of its drop before, so that two of them never wait for each other.
 */
export const codeSql = {
  /** Whether one more order may use the code. */
  isFree: `(c."maxUses" IS NULL OR c."used" < c."maxUses")`,
  /** Whether its seller has not ended it and its time is not over. */
  isCurrent: `(c."endedAt" IS NULL AND (c."endsAt" IS NULL OR c."endsAt" > now()))`,
  /** What the code takes off one unit: discountOf() in SQL, with the percentage rounded half up to a cent. */
  offCents,
  /** Whether what is left is a price that a card can pay: isChargeable() in SQL. */
  isChargeable: (priceCents: string) => `(${priceCents} - ${offCents(priceCents)} >= ${MIN_PRICE_CENTS})`,
  /** Assignment: an order takes a use. Needs the condition `isFree`. */
  take: `"used" = c."used" + 1`,
  /**
   * Assignment: the order ended unpaid, and its use is free again. A process of an older version beside this one may not have counted
   * it, and its units must come back all the same.
   */
  release: `"used" = GREATEST(c."used" - 1, 0)`,
  /** Assignment: an order that holds a use is paid. */
  sellHeld: (cents: string) => `"discountedCents" = c."discountedCents" + ${cents}`,
  /** Assignments: an order is paid whose use was given back before. Needs the condition `isFree`. */
  sellFree: (cents: string) => `"used" = c."used" + 1, "discountedCents" = c."discountedCents" + ${cents}`,
} as const
