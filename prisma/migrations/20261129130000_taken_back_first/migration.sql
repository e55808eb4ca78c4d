-- A refund that only the seller's account can cover is sent after the account has returned the money (ADR 0027).
ALTER TABLE "Refund" ADD COLUMN "isTakenBackFirst" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Refund" ADD COLUMN "takenBackAt" TIMESTAMPTZ(3);
