-- The tables are locked in the order in which the application locks their rows. Another order could deadlock with a payment.
-- The strongest lock is taken at once. A weaker one that is strengthened later deadlocks with a payment that has read a table before.
LOCK TABLE "Order", "Drop" IN ACCESS EXCLUSIVE MODE;

-- How many units were sold with a key; null for a drop without keys (ADR 0061). Only a digital drop without choices has keys.
ALTER TABLE "Drop" ADD COLUMN "keysGiven" INTEGER;
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_keys" CHECK ("keysGiven" IS NULL OR ("keysGiven" >= 0 AND "productType" = 'digital' AND "optionName" IS NULL));

-- One line of the list that a seller pasted. The unique index refuses a key that the drop has already, given or not.
CREATE TABLE "DropKey" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "orderId" TEXT,
    "givenAt" TIMESTAMPTZ(3),
    "shownAt" TIMESTAMPTZ(3),
    "shownIp" TEXT NOT NULL DEFAULT '',
    "shownAgent" TEXT NOT NULL DEFAULT '',
    "voidedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DropKey_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "DropKey_states" CHECK (("orderId" IS NULL) = ("givenAt" IS NULL) AND ("shownAt" IS NULL OR "orderId" IS NOT NULL)
      AND ("voidedAt" IS NULL OR "shownAt" IS NOT NULL))
);
CREATE UNIQUE INDEX "DropKey_dropId_key_key" ON "DropKey"("dropId", "key");
CREATE INDEX "DropKey_orderId_idx" ON "DropKey"("orderId");
ALTER TABLE "DropKey" ADD CONSTRAINT "DropKey_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "DropKey" ADD CONSTRAINT "DropKey_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Finds the next free key of a drop, and counts the free ones.
CREATE INDEX "DropKey_free_idx" ON "DropKey"("dropId", "id") WHERE "orderId" IS NULL;

-- A key that a buyer has seen stays with its order, and a key that an order has goes to another order only through the pool. Without
-- this, a mistake in a statement could show one key to two buyers.
CREATE FUNCTION "refuse_second_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'key % belongs to an order', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'DropKey_one_owner';
END $$;
CREATE TRIGGER "DropKey_one_owner" BEFORE UPDATE OF "orderId", "shownAt", "key", "dropId" ON "DropKey" FOR EACH ROW
  WHEN (NEW."key" <> OLD."key" OR NEW."dropId" <> OLD."dropId"
    OR (OLD."orderId" IS NOT NULL AND NEW."orderId" <> OLD."orderId")
    OR (OLD."shownAt" IS NOT NULL AND (NEW."orderId" IS NULL OR NEW."shownAt" IS NULL OR NEW."shownAt" <> OLD."shownAt")))
  EXECUTE FUNCTION "refuse_second_owner"();

-- A sale that gives no key is refused. A process of the previous version sells in this way; its payment is settled again by a process
-- of this version.
CREATE FUNCTION "refuse_sale_without_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'each sold unit of drop % needs a key', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_keys_given';
END $$;
CREATE TRIGGER "Drop_keys_given" BEFORE UPDATE OF "sold" ON "Drop" FOR EACH ROW
  WHEN (NEW."sold" > OLD."sold" AND OLD."keysGiven" IS NOT NULL
    AND NEW."keysGiven" IS DISTINCT FROM OLD."keysGiven" + NEW."sold" - OLD."sold")
  EXECUTE FUNCTION "refuse_sale_without_key"();

-- No unit goes on sale without a free key: not by a larger quantity, a refund or a new run, also in a process of the previous version.
CREATE FUNCTION "refuse_unit_without_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM "DropKey" k WHERE k."dropId" = NEW."id" AND k."orderId" IS NULL) >= NEW."quantity" - NEW."sold" THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'drop % has fewer keys than units', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_keys_left';
END $$;
CREATE TRIGGER "Drop_keys_left" BEFORE UPDATE OF "quantity", "sold" ON "Drop" FOR EACH ROW
  WHEN (NEW."keysGiven" IS NOT NULL AND NEW."quantity" - NEW."sold" > OLD."quantity" - OLD."sold")
  EXECUTE FUNCTION "refuse_unit_without_key"();
