-- Finds the few payouts of which the seller has received too much or too little. Without it, every run of the job that corrects
-- them reads all payouts. The predicate is that of payoutSums.isUnsettled in lib/payouts/payout-sums.ts.
CREATE INDEX "Transfer_unsettled_idx" ON "Transfer"("sellerId")
  WHERE "sentAt" IS NOT NULL
    AND (coalesce("sentCents", 0) + "sentAgainCents" - "reversedAtStripeCents")
      <> GREATEST(0, ("amountCents" - "deductedCents" - "feeOwedCents" - "withheldCents" + "recoveredCents"));
