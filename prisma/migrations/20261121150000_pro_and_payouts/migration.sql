CREATE TYPE "PayoutsState" AS ENUM ('notStarted', 'incomplete', 'review', 'ready');
ALTER TABLE "User" ADD COLUMN "payoutsState" "PayoutsState" NOT NULL DEFAULT 'notStarted';

ALTER TABLE "Subscription"
  ADD COLUMN "isEntitled" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "Transfer"
  ADD COLUMN "sentCents" INTEGER,
  ADD COLUMN "takenBackCents" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "refusals" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "lastError" TEXT;
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_sent" CHECK (
  ("sentCents" IS NULL OR "sentCents" >= 0) AND "takenBackCents" >= 0
  AND "takenBackCents" <= coalesce("sentCents", 0)
);

CREATE TABLE "UpgradeCheckout" (
    "userId" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "billingPeriod" TEXT NOT NULL,
    "stripeSessionId" TEXT,
    "url" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UpgradeCheckout_pkey" PRIMARY KEY ("userId")
);
CREATE UNIQUE INDEX "UpgradeCheckout_stripeSessionId_key" ON "UpgradeCheckout"("stripeSessionId");
ALTER TABLE "UpgradeCheckout" ADD CONSTRAINT "UpgradeCheckout_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
