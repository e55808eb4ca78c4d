-- The network from which a place in the line was confirmed. One network is offered no more freed units at a time than it may
-- hold without work (ADR 0050); with a thousand mailboxes it could otherwise keep whatever goes back on sale.
ALTER TABLE "WaitlistEntry" ADD COLUMN "originKey" TEXT;

-- Finds the places whose network can be forgotten. It is empty for most of the time.
CREATE INDEX "WaitlistEntry_origin_some" ON "WaitlistEntry" ("dropId") WHERE "originKey" IS NOT NULL;
