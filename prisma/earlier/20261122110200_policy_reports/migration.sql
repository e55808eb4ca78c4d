-- CreateTable
CREATE TABLE "PolicyReport" (
    "directive" TEXT NOT NULL,
    "blocked" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 1,
    "lastAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PolicyReport_pkey" PRIMARY KEY ("directive","blocked","page")
);
