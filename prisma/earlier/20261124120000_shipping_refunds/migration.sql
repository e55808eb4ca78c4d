-- Which part of a refund returns the surcharge for shipping. Without it, a refund of the surcharge would count for units (ADR 0067).
ALTER TABLE "Refund" ADD COLUMN "shippingCents" INTEGER NOT NULL DEFAULT 0;
-- A part larger than its refund would take units off that other refunds returned.
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_shipping" CHECK ("shippingCents" BETWEEN 0 AND "amountCents");
