-- What the panel's stat cards show, as changes that only ever get appended and are summed when read: exact with any number of
-- rows, and nobody waits for a counter's row (ADR 0033). A job folds them into one row each.
CREATE TABLE "Tally" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "Tally_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION tally_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "Tally" ("name", "amount") SELECT 'users', count(*) FROM added WHERE "deletedAt" IS NULL HAVING count(*) > 0;
  ELSIF TG_OP = 'UPDATE' AND NEW."deletedAt" IS NULL THEN
    INSERT INTO "Tally" ("name", "amount") VALUES ('users', 1);
  ELSE
    INSERT INTO "Tally" ("name", "amount") VALUES ('users', -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "User_tally_insert" AFTER INSERT ON "User"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE TRIGGER "User_tally_update" AFTER UPDATE OF "deletedAt" ON "User"
  FOR EACH ROW WHEN ((OLD."deletedAt" IS NULL) <> (NEW."deletedAt" IS NULL)) EXECUTE FUNCTION tally_users();
CREATE TRIGGER "User_tally_delete" AFTER DELETE ON "User"
  FOR EACH ROW WHEN (OLD."deletedAt" IS NULL) EXECUTE FUNCTION tally_users();

CREATE FUNCTION tally_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "Tally" ("name", "amount") SELECT 'orders', count(*) FROM added WHERE "paidAt" IS NOT NULL HAVING count(*) > 0;
  ELSIF TG_OP = 'UPDATE' AND NEW."paidAt" IS NOT NULL THEN
    INSERT INTO "Tally" ("name", "amount") VALUES ('orders', 1);
  ELSE
    INSERT INTO "Tally" ("name", "amount") VALUES ('orders', -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_tally_insert" AFTER INSERT ON "Order"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_orders();
CREATE TRIGGER "Order_tally_update" AFTER UPDATE OF "paidAt" ON "Order"
  FOR EACH ROW WHEN ((OLD."paidAt" IS NULL) <> (NEW."paidAt" IS NULL)) EXECUTE FUNCTION tally_orders();
CREATE TRIGGER "Order_tally_delete" AFTER DELETE ON "Order"
  FOR EACH ROW WHEN (OLD."paidAt" IS NOT NULL) EXECUTE FUNCTION tally_orders();

CREATE FUNCTION tally_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "Tally" ("name", "amount") SELECT 'views', sum("views") FROM added HAVING sum("views") <> 0;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "Tally" ("name", "amount") VALUES ('views', NEW."views" - OLD."views");
  ELSE
    INSERT INTO "Tally" ("name", "amount") VALUES ('views', -OLD."views");
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Drop_tally_insert" AFTER INSERT ON "Drop"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_views();
CREATE TRIGGER "Drop_tally_update" AFTER UPDATE OF "views" ON "Drop"
  FOR EACH ROW WHEN (OLD."views" <> NEW."views") EXECUTE FUNCTION tally_views();
CREATE TRIGGER "Drop_tally_delete" AFTER DELETE ON "Drop"
  FOR EACH ROW WHEN (OLD."views" <> 0) EXECUTE FUNCTION tally_views();

-- The triggers stand, and their locks with them: what is counted now misses nothing.
INSERT INTO "Tally" ("name", "amount")
SELECT 'users', count(*) FROM "User" WHERE "deletedAt" IS NULL
UNION ALL SELECT 'orders', count(*) FROM "Order" WHERE "paidAt" IS NOT NULL
UNION ALL SELECT 'views', COALESCE(sum("views"), 0) FROM "Drop";

-- By the clock, so counted when read, from what runs alone.
CREATE INDEX "Drop_running_idx" ON "Drop" ("endTime")
  WHERE "isActive" AND "hiddenAt" IS NULL AND "archivedAt" IS NULL;

-- Filters whose rows may be rare among the newest.
CREATE INDEX "User_pro_idx" ON "User" ("id") WHERE "plan" = 'pro';
CREATE INDEX "Drop_productType_id_idx" ON "Drop" ("productType", "id");
CREATE INDEX "WebhookEvent_orphaned_idx" ON "WebhookEvent" ("receivedAt" DESC, "id" DESC)
  WHERE "outcome" IN ('unknown', 'mismatch');
CREATE INDEX "AuditEntry_targetId_id_idx" ON "AuditEntry" ("targetId", "id");
