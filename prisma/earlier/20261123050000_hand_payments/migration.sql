-- A payout that Stripe cannot send, because the payment was settled in another currency, is paid by an administrator outside of
-- Stripe. One row per such payment. Its amount is part of "sentCents" or "sentAgainCents" of the payout.
CREATE TABLE "HandPayment" (
    "id" TEXT NOT NULL,
    "transferId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reference" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HandPayment_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "HandPayment" ADD CONSTRAINT "HandPayment_transferId_fkey" FOREIGN KEY ("transferId") REFERENCES "Transfer"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- An administrator who presses the button twice, or comes back later, records the same payment once.
CREATE UNIQUE INDEX "HandPayment_transferId_reference_key" ON "HandPayment"("transferId", "reference");
ALTER TABLE "HandPayment" ADD CONSTRAINT "HandPayment_money" CHECK ("amountCents" > 0 AND "reference" <> '');

-- Since when the payout has been paid by hand; null for all that Stripe sends. An older process leaves such a payout alone,
-- because it has no destination.
ALTER TABLE "Transfer" ADD COLUMN "paidByHandAt" TIMESTAMPTZ(3);
-- What was paid by hand was never sent by Stripe: a payout with both would be paid twice.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_hand" CHECK (
  "paidByHandAt" IS NULL OR ("sentCents" IS NOT NULL AND "sentAt" IS NOT NULL AND "stripeTransferId" IS NULL
    AND "destination" IS NULL AND cardinality("againTransferIds") = 0)
);
-- Finds the few payouts that were paid by hand and of which a part is due again.
CREATE INDEX "Transfer_paidByHandAt_idx" ON "Transfer"("paidByHandAt") WHERE "paidByHandAt" IS NOT NULL;
