-- The uses of a discount code that are in checkout are counted, so that one network cannot keep all of them.
ALTER TABLE "DiscountCode" ADD COLUMN "held" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "contestedSince" TIMESTAMPTZ(3);
UPDATE "DiscountCode" c SET "held" = h."held"
  FROM (SELECT "codeId", count(*)::int AS "held" FROM "Hold" WHERE "codeId" IS NOT NULL AND "state" = 'held' GROUP BY 1) h
 WHERE h."codeId" = c."id";
