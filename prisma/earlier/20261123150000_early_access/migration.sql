-- Early access for followers (ADR 0066). Nothing that exists is rewritten: drops, holds and orders that exist have none.
LOCK TABLE "Order", "Drop" IN ACCESS EXCLUSIVE MODE;

ALTER TABLE "Drop" ADD COLUMN "earlyMinutes" INTEGER,
ADD COLUMN "earlyUnits" INTEGER,
ADD COLUMN "earlyTaken" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "DropRun" ADD COLUMN "earlyMinutes" INTEGER;

ALTER TABLE "Order" ADD COLUMN "isEarly" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "EarlyLink" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "followerId" INTEGER,
    "mailboxKey" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "EarlyLink_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "EarlyLink_tokenHash_key" ON "EarlyLink"("tokenHash");
CREATE UNIQUE INDEX "EarlyLink_dropId_mailboxKey_key" ON "EarlyLink"("dropId", "mailboxKey");
CREATE INDEX "EarlyLink_followerId_idx" ON "EarlyLink"("followerId");
ALTER TABLE "EarlyLink" ADD CONSTRAINT "EarlyLink_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "EarlyLink" ADD CONSTRAINT "EarlyLink_followerId_fkey" FOREIGN KEY ("followerId") REFERENCES "Follower"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "Hold" ADD COLUMN "earlyLinkId" INTEGER;
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_earlyLinkId_fkey" FOREIGN KEY ("earlyLinkId") REFERENCES "EarlyLink"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A personal link is in one checkout at a time and buys once. Two holds that use one link at the same moment both pass the
-- statement's own check; without this index both would be taken. A released hold gives the link back without any further write.
CREATE UNIQUE INDEX "Hold_one_per_early_link" ON "Hold" ("earlyLinkId") WHERE "earlyLinkId" IS NOT NULL AND "state" <> 'released';

-- Minutes and units belong together, and only the offered minutes exist. Other values could not be shown in the form.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_early" CHECK (
  ("earlyMinutes" IS NULL) = ("earlyUnits" IS NULL) AND "earlyMinutes" IN (30, 60, 90, 120) AND "earlyUnits" >= 1);
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_early_taken" CHECK ("earlyTaken" >= 0);

-- Before the start, units are taken only during early access, only if they are counted as early units, and never more of them than
-- the seller allowed, so that at least one stays for the public. The statement that takes units has these conditions itself; the
-- trigger also stops a statement that forgets them and a process of an older version.
CREATE OR REPLACE FUNCTION "refuse_sale_before_start"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."earlyMinutes" IS NOT NULL
     AND NEW."startedAt" - make_interval(mins => NEW."earlyMinutes") <= now()
     AND NEW."earlyTaken" - OLD."earlyTaken" >= NEW."sold" + NEW."held" - OLD."sold" - OLD."held"
     AND NEW."earlyTaken" <= LEAST(NEW."earlyUnits", NEW."quantity" - 1) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'drop % has not started', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_started';
END $$;
