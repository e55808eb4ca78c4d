import 'server-only'

/**
 * The sums of one payout, as SQL over a "Transfer" row `t`. They are in one place because the payout that is sent, the debt that
 * is kept back and the sums on the seller's screen must never disagree. All are whole cents.
 */

/** What the seller is to have of this order in the end. Negative: the seller owes us that much beyond what was sent. */
const TARGET_CENTS = `(t."amountCents" - t."deductedCents" - t."feeOwedCents" - t."withheldCents" + t."recoveredCents")`

/** What the seller's account has received of this order, less what reversals brought back. */
export const OUT_CENTS = `(coalesce(t."sentCents", 0) + t."sentAgainCents" - t."reversedAtStripeCents")`

/** What can still be sent of a payout that has not been sent yet. */
export const PAYABLE_CENTS = `GREATEST(0, ${TARGET_CENTS})`

/**
 * What the seller owes for this order and what later payouts have to bring: the part below zero always; what was sent too
 * much only once Stripe has refused to reverse it, because until then the reversal brings it back.
 */
export const DEBT_CENTS = `(CASE WHEN t."reversalRefusedAt" IS NOT NULL THEN GREATEST(0, ${OUT_CENTS} - ${TARGET_CENTS})
  ELSE GREATEST(0, -${TARGET_CENTS}) END)`

/** Whether what Stripe holds differs from what it is to hold. */
export const IS_UNSETTLED = `(t."sentAt" IS NOT NULL AND ${OUT_CENTS} <> ${PAYABLE_CENTS})`

/** The predicate of the partial index "Transfer_debt_idx": only these rows can be in debt. */
export const MAY_BE_IN_DEBT = `(t."feeOwedCents" > 0 OR t."reversalRefusedAt" IS NOT NULL)`
