-- A place in the line per run, and the unit it was offered.
ALTER TABLE "WaitlistEntry"
  ADD COLUMN "run" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "joinedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "notifiedRun" INTEGER,
  ADD COLUMN "offeredRun" INTEGER,
  ADD COLUMN "claimTokenHash" TEXT,
  ADD COLUMN "claimHoldId" TEXT,
  ADD COLUMN "claimedAt" TIMESTAMPTZ(3);
CREATE UNIQUE INDEX "WaitlistEntry_claimTokenHash_key" ON "WaitlistEntry"("claimTokenHash");
CREATE UNIQUE INDEX "WaitlistEntry_claimHoldId_key" ON "WaitlistEntry"("claimHoldId");

-- Who waits, in their order.
CREATE INDEX "WaitlistEntry_line_idx" ON "WaitlistEntry" ("dropId", "joinedAt", "id")
  WHERE "confirmedAt" IS NOT NULL AND "unsubscribedAt" IS NULL;
