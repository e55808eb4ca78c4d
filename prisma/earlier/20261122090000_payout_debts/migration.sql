-- A seller may owe money for an order: the card fee of a refunded payment, which Stripe keeps, and what a transfer reversal could
-- not bring back because the seller's balance was empty. Such a debt is kept back from later payouts of the same seller.

-- "reversedCents" was what refunds and disputes take of a payout, "takenBackCents" what Stripe calls amount_reversed.
ALTER TABLE "Transfer" RENAME COLUMN "reversedCents" TO "deductedCents";
ALTER TABLE "Transfer" RENAME COLUMN "takenBackCents" TO "reversedAtStripeCents";

ALTER TABLE "Transfer"
  ADD COLUMN "feeOwedCents" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "withheldCents" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "recoveredCents" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "destination" TEXT,
  ADD COLUMN "frozenAt" TIMESTAMPTZ(3),
  ADD COLUMN "againTransferIds" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "reversalRefusedAt" TIMESTAMPTZ(3);

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_debt" CHECK (
  "feeOwedCents" >= 0 AND "withheldCents" >= 0 AND "recoveredCents" >= 0
);

-- Transfers that were frozen before this migration went to the account that their seller has now.
UPDATE "Transfer" t SET "destination" = u."stripeAccountId", "frozenAt" = t."createdAt"
  FROM "User" u WHERE u."id" = t."sellerId" AND t."sentCents" IS NOT NULL;

-- Stripe repeats its first answer under a key: an account that it refused or has forgotten is opened anew under another one.
ALTER TABLE "User" ADD COLUMN "stripeAccountTry" INTEGER NOT NULL DEFAULT 0;

-- The currency that Stripe settles the payment in. Payouts are sent only when it is the currency of the order.
ALTER TABLE "Order" ADD COLUMN "settlementCurrency" TEXT;

-- One row per amount that was kept back from one payout because of another one.
CREATE TABLE "PayoutOffset" (
    "id" TEXT NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "fromTransferId" TEXT NOT NULL,
    "forTransferId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PayoutOffset_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "PayoutOffset" ADD CONSTRAINT "PayoutOffset_fromTransferId_fkey" FOREIGN KEY ("fromTransferId") REFERENCES "Transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "PayoutOffset" ADD CONSTRAINT "PayoutOffset_forTransferId_fkey" FOREIGN KEY ("forTransferId") REFERENCES "Transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "PayoutOffset" ADD CONSTRAINT "PayoutOffset_money" CHECK ("amountCents" > 0 AND "fromTransferId" <> "forTransferId");

CREATE INDEX "PayoutOffset_fromTransferId_idx" ON "PayoutOffset"("fromTransferId");
CREATE INDEX "PayoutOffset_forTransferId_idx" ON "PayoutOffset"("forTransferId");

-- Finds the few payouts that a seller may owe money for without reading all of them.
CREATE INDEX "Transfer_debt_idx" ON "Transfer"("sellerId") WHERE "feeOwedCents" > 0 OR "reversalRefusedAt" IS NOT NULL;
