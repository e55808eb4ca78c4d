-- Payouts of the last month for which Stripe has refused or failed a request. Stripe may have carried it out later, so it
-- is searched for (lib/payouts/adopt-late-transfers.ts).
UPDATE "Transfer" SET "unknownSince" = now(), "searchDueAt" = now()
 WHERE "unknownSince" IS NULL AND "refusals" > 0 AND "sentAt" > now() - interval '30 days';
