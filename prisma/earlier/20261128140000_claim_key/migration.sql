-- The network that claimed an offered unit. It is kept apart from "originKey", because a hold with that key counts toward the
-- limits on holds and may be yielded, and a claimed unit is promised to one person (ADR 0050).
ALTER TABLE "Hold" ADD COLUMN "claimKey" TEXT;
CREATE INDEX "Hold_claim_idx" ON "Hold" ("claimKey") WHERE "claimKey" IS NOT NULL;
