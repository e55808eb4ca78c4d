-- How often Stripe itself failed to make a refund. Stripe repeats such a failure under the same idempotency key, so the
-- next attempt needs a key with the new number.
ALTER TABLE "Refund" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;
