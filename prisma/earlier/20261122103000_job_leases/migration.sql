-- Which process runs a job. A row replaces an advisory lock, because a connection pooler in transaction mode would leave such a
-- lock on a connection that nobody finds again.
-- CreateTable
CREATE TABLE "JobLease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "JobLease_pkey" PRIMARY KEY ("name")
);
