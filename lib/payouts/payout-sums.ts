import 'server-only'

/**
 * The sums of one payout, as SQL over a "Transfer" row `t`. They are in one place because the payout that is sent, the debt that
 * is kept back and the sums on the seller's screen must never disagree. All are whole cents.
 */

/** What the seller is to have of this order in the end. Negative: the seller owes us that much beyond what was sent. */
const target = `(t."amountCents" - t."deductedCents" - t."feeOwedCents" - t."withheldCents" + t."recoveredCents")`

/** What the seller's account has received of this order, less what reversals brought back. */
const out = `(coalesce(t."sentCents", 0) + t."sentAgainCents" - t."reversedAtStripeCents")`

/** What can still be sent of a payout that has not been sent yet. */
const payable = `GREATEST(0, ${target})`

/**
 * What the seller owes for this order and what later payouts have to bring: the part below zero always; what was sent too
 * much only once Stripe has refused to reverse it, because until then the reversal brings it back.
 */
const debt = `(CASE WHEN t."reversalRefusedAt" IS NOT NULL THEN GREATEST(0, ${out} - ${target})
  ELSE GREATEST(0, -${target}) END)`

/** Whether what Stripe holds differs from what it is to hold. */
const isUnsettled = `(t."sentAt" IS NOT NULL AND ${out} <> ${payable})`

/** The predicate of the partial index "Transfer_debt_idx": only these rows can be in debt. */
const mayBeInDebt = `(t."feeOwedCents" > 0 OR t."reversalRefusedAt" IS NOT NULL)`

export const payoutSums = { out, payable, debt, isUnsettled, mayBeInDebt } as const
