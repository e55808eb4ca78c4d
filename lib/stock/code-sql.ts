import 'server-only'

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
  offCents: (priceCents: string) =>
    `(CASE WHEN c."percent" IS NULL THEN c."offCents" ELSE ((${priceCents}::bigint * c."percent" + 50) / 100)::int END)`,
  /** Assignment: an order takes a use. Needs the condition `isFree`. */
  take: `"used" = c."used" + 1`,
  /** Assignment: the order ended unpaid, and its use is free again. */
  release: `"used" = c."used" - 1`,
  /** Assignment: an order that holds a use is paid. */
  sellHeld: (cents: string) => `"discountedCents" = c."discountedCents" + ${cents}`,
  /** Assignments: an order is paid whose use was given back before. Needs the condition `isFree`. */
  sellFree: (cents: string) => `"used" = c."used" + 1, "discountedCents" = c."discountedCents" + ${cents}`,
} as const
