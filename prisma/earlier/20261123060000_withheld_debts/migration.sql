-- A payout that was withheld for another debt and was deducted from afterwards can be in debt as well. The predicate is that of
-- lib/payouts/payout-sums.ts.
DROP INDEX "Transfer_debt_idx";
CREATE INDEX "Transfer_debt_idx" ON "Transfer"("sellerId")
  WHERE "feeOwedCents" > 0 OR "reversalRefusedAt" IS NOT NULL OR ("withheldCents" > 0 AND "deductedCents" > 0);
