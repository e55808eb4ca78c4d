-- When a cancelled plan ends. Stripe's billing portal sets a date that does not move with the paid period.
ALTER TABLE "Subscription" ADD COLUMN "cancelAt" TIMESTAMPTZ(3);
UPDATE "Subscription" SET "cancelAt" = "currentPeriodEnd" WHERE "cancelAtPeriodEnd";
