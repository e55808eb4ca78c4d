-- A refund that a buyer asked for can be declined, with the reason.
ALTER TYPE "RefundState" ADD VALUE 'declined' AFTER 'requested';
ALTER TABLE "Refund" ADD COLUMN "answer" TEXT NOT NULL DEFAULT '';

-- An order arrives: who said so, and when. Orders of the demo were done without a date.
ALTER TABLE "Order" ADD COLUMN "deliveredBy" TEXT;
ALTER TABLE "Order" ADD CONSTRAINT "Order_delivered" CHECK ("deliveredBy" IS NULL OR ("deliveredBy" IN ('buyer', 'seller') AND "deliveredAt" IS NOT NULL));
UPDATE "Order" SET "status" = 'paid' WHERE "status" = 'done' AND "productType" = 'digital';
UPDATE "Order" SET "deliveredAt" = coalesce("paidAt", "createdAt"), "deliveredBy" = 'seller' WHERE "status" = 'done' AND "deliveredAt" IS NULL;

-- Payments whose card fee Stripe had not said yet when they came: few, asked for again until it is known.
CREATE INDEX "Order_fee_unknown_idx" ON "Order" ("paidAt") WHERE "paidAt" IS NOT NULL AND "cardFeeCents" IS NULL;

ALTER TABLE "Dispute" ADD COLUMN "feeCents" INTEGER NOT NULL DEFAULT 0;

-- An account that was complete and that Stripe sends nothing to until it has what it asks for.
ALTER TYPE "PayoutsState" ADD VALUE 'paused' AFTER 'review';
