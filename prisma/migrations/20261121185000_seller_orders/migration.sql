ALTER TABLE "Order" ADD COLUMN "shipNudgedAt" TIMESTAMPTZ(3), ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';

-- A part of an order can go back on sale: units instead of yes or no.
ALTER TABLE "Refund" ADD COLUMN "restockUnits" INTEGER NOT NULL DEFAULT 0;
UPDATE "Refund" r SET "restockUnits" = o."quantity" FROM "Order" o WHERE o."id" = r."orderId" AND r."isRestocked";
ALTER TABLE "Refund" DROP COLUMN "isRestocked";
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_restock" CHECK ("restockUnits" >= 0);

ALTER TABLE "Transfer" ADD COLUMN "sentAgainCents" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Transfer" DROP CONSTRAINT "Transfer_sent";
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_sent" CHECK (
  ("sentCents" IS NULL OR "sentCents" >= 0)
  AND "sentAgainCents" >= 0 AND "takenBackCents" BETWEEN 0 AND coalesce("sentCents", 0) + "sentAgainCents"
);

ALTER TABLE "Dispute" ADD COLUMN "dueAt" TIMESTAMPTZ(3), ADD COLUMN "evidence" JSONB, ADD COLUMN "submittedAt" TIMESTAMPTZ(3);

CREATE TABLE "PurchaseRecord" (
    "orderId" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "shippingNote" TEXT NOT NULL,
    "imageKeys" TEXT[],
    "endTime" TIMESTAMPTZ(3) NOT NULL,
    "termsDate" TEXT NOT NULL,
    "ip" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PurchaseRecord_pkey" PRIMARY KEY ("orderId")
);
ALTER TABLE "PurchaseRecord" ADD CONSTRAINT "PurchaseRecord_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What a seller searches in. A checkout that is not paid costs nothing here: a crowd opens many.
CREATE FUNCTION order_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := lower(concat_ws(E'\n', right(NEW."id", 8), NEW."id", NEW."buyerEmail", NEW."buyerName",
                                      NEW."shipName", NEW."dropTitle", NEW."trackingNumber"));
  RETURN NEW;
END $$;
CREATE TRIGGER "Order_search_text"
  BEFORE INSERT OR UPDATE OF "paidAt", "buyerEmail", "buyerName", "shipName", "dropTitle", "trackingNumber" ON "Order"
  FOR EACH ROW WHEN (NEW."paidAt" IS NOT NULL) EXECUTE FUNCTION order_search_text();
UPDATE "Order" SET "searchText" = lower(concat_ws(E'\n', right("id", 8), "id", "buyerEmail", "buyerName", "shipName",
                                                  "dropTitle", "trackingNumber"))
 WHERE "paidAt" IS NOT NULL;

-- Trigrams where the owner of the database may have them; else a search walks the seller's orders.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXECUTE 'CREATE INDEX "Order_searchText_idx" ON "Order" USING gin ("searchText" gin_trgm_ops) WHERE "paidAt" IS NOT NULL';
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: sellers with many orders will search slower';
END $$;

CREATE INDEX "Order_to_ship_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC)
  WHERE "status" = 'paid' AND "productType" = 'physical';
CREATE INDEX "Order_late_idx" ON "Order" ("paidAt")
  WHERE "status" = 'paid' AND "productType" = 'physical' AND "shipNudgedAt" IS NULL;
CREATE INDEX "Order_nudged_idx" ON "Order" ("sellerId", "shipNudgedAt") WHERE "shipNudgedAt" IS NOT NULL;
-- What is rare among many is found without walking the rest.
CREATE INDEX "Order_refunded_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "refundedCents" > 0;
CREATE INDEX "Order_disputed_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "status" = 'disputed';
