import 'server-only'

/**
 * The sums of one payout, as SQL over a "Transfer" row `t`. They are in one place because the payout that is sent, the
 * debt that is withheld and the amounts on the seller's screen must never disagree. All are whole cents.
 */

/**
 * What the seller should receive for this order in the end. If negative, the seller owes that much beyond returning
 * what was sent.
 */
const target = `(t."amountCents" - t."deductedCents" - t."feeOwedCents" - t."withheldCents" + t."recoveredCents")`

/** What the seller earned with this order, whatever was kept back from its payout or paid for its debt. */
const earned = `(t."amountCents" - t."deductedCents" - t."feeOwedCents")`

/** What the seller's account has received for this order, less reversals. */
const out = `(coalesce(t."sentCents", 0) + t."sentAgainCents" - t."reversedAtStripeCents")`

/** What should be transferred for this order in all: the target, but never less than zero. */
const payable = `GREATEST(0, ${target})`

/**
 * What the seller owes for this order and later payouts must cover. A target below zero always counts; an amount that
 * was overpaid counts only once Stripe has refused to reverse it, because until then the reversal returns it.
 */
const debt = `(CASE WHEN t."reversalRefusedAt" IS NOT NULL THEN GREATEST(0, ${out} - ${target})
  ELSE GREATEST(0, -${target}) END)`

/** Whether the amount transferred at Stripe differs from the amount it should be. */
const isUnsettled = `(t."sentAt" IS NOT NULL AND ${out} <> ${payable})`

/** The predicate of the partial index "Transfer_debt_idx": only these rows can be in debt. */
const mayBeInDebt = `(t."feeOwedCents" > 0 OR t."reversalRefusedAt" IS NOT NULL)`

/** Whether a payout waits because Stripe settled its payment, order `o`, in another currency than the order's. */
const isInOtherCurrency = `(t."state" = 'waiting' AND t."sentCents" IS NULL AND o."settlementCurrency" <> o."currency")`

export const payoutSums = { earned, out, payable, debt, isUnsettled, mayBeInDebt, isInOtherCurrency } as const
