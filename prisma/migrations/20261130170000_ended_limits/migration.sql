-- Finds the counts of limits that have ended. Without it, the job that deletes them reads all counts each time.
CREATE INDEX "RateLimit_expire_idx" ON "RateLimit"("expire");
