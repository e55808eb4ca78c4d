-- When a seller's connected account was created, and until when no money is sent to it. Accounts that exist already have
-- neither, so their payouts do not wait.
ALTER TABLE "User" ADD COLUMN "payoutsConnectedAt" TIMESTAMPTZ(3), ADD COLUMN "payoutsHeldUntil" TIMESTAMPTZ(3);
