-- Finds the few payouts that can be in debt. The predicate is that of payoutSums.mayBeInDebt in
-- lib/payouts/payout-sums.ts. A payout that was withheld is in debt when its card fee becomes known afterwards.
DROP INDEX "Transfer_debt_idx";
CREATE INDEX "Transfer_debt_idx" ON "Transfer"("sellerId")
  WHERE "feeOwedCents" > 0 OR "reversalRefusedAt" IS NOT NULL OR "withheldCents" > 0;
