-- Finds the few payouts that were paid by hand and of which a part is due again, for all sellers and for one seller. Without it,
-- the money line of the dashboard would read every payout of a seller who is always paid by hand. The predicate is that of
-- payoutSums.isPaidShort in lib/payouts/payout-sums.ts.
CREATE INDEX "Transfer_paid_short_idx" ON "Transfer"("sellerId")
  WHERE "paidByHandAt" IS NOT NULL
    AND (coalesce("sentCents", 0) + "sentAgainCents" - "reversedAtStripeCents")
      < GREATEST(0, ("amountCents" - "deductedCents" - "feeOwedCents" - "withheldCents" + "recoveredCents"));
DROP INDEX "Transfer_paidByHandAt_idx";
COMMENT ON COLUMN "Transfer"."paidByHandAt" IS 'Since when the payout has been paid by hand, or needs no payment by hand because all of it was withheld.';
