-- Until when a mail is worth sending, such as the reminder of a start until the start; null for always.
ALTER TABLE "OutboxMail" ADD COLUMN "expiresAt" TIMESTAMPTZ(3);

-- Whether the person confirmed that they wait for a start. They get one mail about it, and none about later runs. Unlike
-- "askedStart" it does not change with a new request until that is confirmed, too.
ALTER TABLE "WaitlistEntry" ADD COLUMN "waitsForStart" BOOLEAN NOT NULL DEFAULT false;
UPDATE "WaitlistEntry" SET "waitsForStart" = true WHERE "askedStart" AND "run" = 0 AND "confirmedAt" IS NOT NULL;
