-- What a run began with, so that its own views are a subtraction; and when it is looked at for auto-renew (DECISIONS 19).
ALTER TABLE "DropRun" ADD COLUMN "viewsBefore" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DropRun" ADD COLUMN "renewDueAt" TIMESTAMPTZ(3);
CREATE INDEX "DropRun_renew_idx" ON "DropRun" ("renewDueAt", "id") WHERE "renewDueAt" IS NOT NULL;

-- A paused drop expires too.
DROP INDEX "Drop_expiring_idx";
CREATE INDEX "Drop_expiring_idx" ON "Drop" ("endTime", "id") WHERE "archivedAt" IS NULL;

-- A hundred thousand recaps must not stand before one receipt.
ALTER TABLE "OutboxMail" ADD COLUMN "isBulk" BOOLEAN NOT NULL DEFAULT false;
DROP INDEX "OutboxMail_due_idx";
CREATE INDEX "OutboxMail_due_idx" ON "OutboxMail" ("isBulk", "sendAfter") WHERE "sentAt" IS NULL;

-- Where buyers came from, by the hour (DECISIONS 24).
ALTER TABLE "Hold" ADD COLUMN "source" TEXT NOT NULL DEFAULT 'direct';

CREATE TABLE "DropTap" (
    "dropId" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "visitor" TEXT NOT NULL,

    CONSTRAINT "DropTap_pkey" PRIMARY KEY ("dropId","day","visitor")
);
ALTER TABLE "DropTap" ADD CONSTRAINT "DropTap_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "DropHour" (
    "dropId" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "source" TEXT NOT NULL,
    "views" INTEGER NOT NULL DEFAULT 0,
    "taps" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "DropHour_pkey" PRIMARY KEY ("dropId","hour","source")
);
ALTER TABLE "DropHour" ADD CONSTRAINT "DropHour_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;
