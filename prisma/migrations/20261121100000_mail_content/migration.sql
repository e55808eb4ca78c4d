-- What a mail says is written with the order it reports on; how it looks is drawn when it is sent or shown, so that
-- a crowd at the till waits for no rendering.
ALTER TABLE "OutboxMail" ADD COLUMN "content" JSONB, ALTER COLUMN "html" DROP NOT NULL;
