-- From where and by when a parcel is shipped (ADR 0063). Nothing that exists is rewritten: without a value there is no promise.
-- The tables are locked in the order in which the application locks their rows. Another order could deadlock with a payment.
LOCK TABLE "Order", "Drop" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "Drop" ADD COLUMN "shipsFrom" TEXT, ADD COLUMN "shipsWithin" INTEGER;
ALTER TABLE "Order" ADD COLUMN "shipsFrom" TEXT, ADD COLUMN "shipsBy" TIMESTAMPTZ(3);

-- A promise of zero days or of years would be refunded at once or never. The limit is MAX_SHIP_DAYS in lib/drops/delivery/ship-rules.ts.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_shipsWithin_check" CHECK ("shipsWithin" BETWEEN 1 AND 60);
-- Only parcels are shipped. An order for a download with a day in this column would be refunded as late.
ALTER TABLE "Order" ADD CONSTRAINT "Order_shipsBy_physical_check" CHECK ("shipsBy" IS NULL OR "productType" = 'physical');
