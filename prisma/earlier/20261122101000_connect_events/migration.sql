-- A state for sellers whose connected account is gone. It has a migration of its own, because Postgres allows a new value of an
-- enum to be used only after the transaction that adds it.
ALTER TYPE "PayoutsState" ADD VALUE 'disconnected';

-- The connected account that an event belongs to: Stripe finds such an event only with it.
ALTER TABLE "WebhookEvent" ADD COLUMN "account" TEXT;

-- When Stripe is asked again about a connected account that is ready; null means at once.
ALTER TABLE "User" ADD COLUMN "payoutsCheckDueAt" TIMESTAMPTZ(3);

-- Finds the ready accounts whose check is due without reading all others, four times a minute.
CREATE INDEX "User_payouts_check_idx" ON "User"("payoutsCheckDueAt" NULLS FIRST) WHERE "payoutsState" = 'ready';
