-- A visitor's report of what a seller writes on the public profile. It waits for an administrator's decision.
CREATE TABLE "ProfileReport" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "category" TEXT NOT NULL,
    "details" TEXT NOT NULL DEFAULT '',
    "state" "ReviewState" NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decidedAt" TIMESTAMPTZ(3),
    "decidedBy" INTEGER,

    CONSTRAINT "ProfileReport_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "ProfileReport_state_createdAt_idx" ON "ProfileReport"("state", "createdAt");
CREATE INDEX "ProfileReport_userId_idx" ON "ProfileReport"("userId");
ALTER TABLE "ProfileReport" ADD CONSTRAINT "ProfileReport_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
