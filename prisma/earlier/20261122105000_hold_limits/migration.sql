-- Limits on holds (ADR 0050).

-- AlterTable
ALTER TABLE "Hold" ADD COLUMN "originKey" TEXT,
ADD COLUMN "isContested" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "workId" TEXT;

-- AlterTable
ALTER TABLE "Drop" ADD COLUMN "maxPerBuyer" INTEGER;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN "mailboxKey" TEXT,
ADD COLUMN "cardKey" TEXT;

-- AlterTable
ALTER TABLE "DropHour" ADD COLUMN "refused" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "WaitlistEntry" ADD COLUMN "mailbox" TEXT;

-- CreateIndex
-- Each proof of work opens one checkout. Without it one proof, sent many times at once, would open many.
CREATE UNIQUE INDEX "Hold_workId_key" ON "Hold"("workId");

-- CreateIndex
CREATE INDEX "Hold_originKey_idx" ON "Hold"("originKey");

-- CreateIndex
CREATE INDEX "Order_dropId_mailboxKey_idx" ON "Order"("dropId", "mailboxKey");

-- CreateIndex
CREATE INDEX "Order_dropId_cardKey_idx" ON "Order"("dropId", "cardKey");

-- CreateIndex
CREATE UNIQUE INDEX "WaitlistEntry_dropId_mailbox_key" ON "WaitlistEntry"("dropId", "mailbox");

-- A limit per buyer that no order could reach, or that forbids every order, would be a mistake.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_maxPerBuyer" CHECK ("maxPerBuyer" BETWEEN 1 AND 10);

-- The checkouts that may still be paid although their units are on sale again; the sweep closes them in time.
CREATE INDEX "Hold_yielded_idx" ON "Hold" ("expiresAt") WHERE "state" = 'released' AND "reason" = 'yielded';
