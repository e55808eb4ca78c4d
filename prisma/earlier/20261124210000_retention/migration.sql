-- The indexes by which the job that removes personal data finds the rows whose time has passed. A row leaves its partial index when
-- its data is removed, so a run reads only what it removes.
-- The locks are taken in the order in which a payment writes these tables, so that the two wait for each other and cannot deadlock.
LOCK TABLE "Hold", "Session", "DropView", "DropTap", "OutboxMail" IN SHARE MODE;
CREATE INDEX "OutboxMail_kept_idx" ON "OutboxMail" ("createdAt") WHERE "to" <> '';
CREATE INDEX "OutboxMail_empty_idx" ON "OutboxMail" ("createdAt") WHERE "to" = '';
CREATE INDEX "Session_revoked_idx" ON "Session" ("revokedAt") WHERE "revokedAt" IS NOT NULL;
CREATE INDEX "Hold_unpaid_kept_idx" ON "Hold" ("settledAt") WHERE "state" = 'released' AND "buyerKey" <> '';

-- CreateIndex
CREATE INDEX "DropView_day_idx" ON "DropView"("day");

-- CreateIndex
CREATE INDEX "DropTap_day_idx" ON "DropTap"("day");
