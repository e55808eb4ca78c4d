-- After an error of Stripe it is unknown whether it will still carry out the request for a transfer. "unknownSince" is
-- when that happened last, and "searchDueAt" when Stripe is next searched for such a transfer. The index contains only
-- the few payouts for which a search is due.
ALTER TABLE "Transfer" ADD COLUMN "unknownSince" TIMESTAMPTZ(3), ADD COLUMN "searchDueAt" TIMESTAMPTZ(3);
CREATE INDEX "Transfer_search_idx" ON "Transfer"("searchDueAt") WHERE "searchDueAt" IS NOT NULL;

-- Payouts that were given up before: their amount is open again, but they keep the time at which it was fixed.
UPDATE "Transfer" SET "unknownSince" = now(), "searchDueAt" = now()
 WHERE "sentAt" IS NULL AND "sentCents" IS NULL AND "frozenAt" IS NOT NULL;
