-- Sellers can pay back what they owe by bank transfer. Before, only later payouts could pay a debt, so a seller who did not
-- sell anymore could never delete the account (ADR 0027).
CREATE TABLE "DebtPayment" (
    "id" TEXT NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "transferId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reference" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DebtPayment_pkey" PRIMARY KEY ("id")
);

-- The same payment is never recorded twice for a debt, and a repeated call finds it by its reference.
CREATE UNIQUE INDEX "DebtPayment_sellerId_reference_transferId_key" ON "DebtPayment"("sellerId", "reference", "transferId");
CREATE INDEX "DebtPayment_transferId_idx" ON "DebtPayment"("transferId");
ALTER TABLE "DebtPayment" ADD CONSTRAINT "DebtPayment_transferId_fkey" FOREIGN KEY ("transferId") REFERENCES "Transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A payment of nothing, or of less, would raise the debt. A payment without a reference could not be found at the bank.
ALTER TABLE "DebtPayment" ADD CONSTRAINT "DebtPayment_money" CHECK ("amountCents" > 0 AND "reference" <> '');
