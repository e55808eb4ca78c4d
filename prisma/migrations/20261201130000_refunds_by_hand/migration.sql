-- A refund that failed for good can be paid to the buyer outside of Stripe. An administrator records when, and the reference.
ALTER TABLE "Refund" ADD COLUMN "paidByHandAt" TIMESTAMPTZ(3), ADD COLUMN "handReference" TEXT;
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_paid_by_hand" CHECK (
  ("paidByHandAt" IS NULL) = ("handReference" IS NULL) AND ("paidByHandAt" IS NULL OR "state" = 'failed'));
