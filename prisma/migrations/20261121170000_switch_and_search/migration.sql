-- Tells every process that the platform was paused or resumed, so that its shared cache stands aside at once.
CREATE FUNCTION announce_platform_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('platform_changed', NEW."isActive"::text);
  RETURN NULL;
END $$;

CREATE TRIGGER "PlatformSettings_announce_change" AFTER INSERT OR UPDATE ON "PlatformSettings"
  FOR EACH ROW EXECUTE FUNCTION announce_platform_change();

-- What an administrator searches in, in lower case and one column per table, so that one index serves a search.
ALTER TABLE "User" ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Drop" ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';

CREATE FUNCTION user_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := lower(concat_ws(E'\n', NEW."email", NEW."username"));
  RETURN NEW;
END $$;
CREATE TRIGGER "User_search_text" BEFORE INSERT OR UPDATE OF "email", "username" ON "User"
  FOR EACH ROW EXECUTE FUNCTION user_search_text();

CREATE FUNCTION drop_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT lower(NEW."title") || E'\n' || u."searchText" INTO NEW."searchText" FROM "User" u WHERE u."id" = NEW."userId";
  RETURN NEW;
END $$;
CREATE TRIGGER "Drop_search_text" BEFORE INSERT OR UPDATE OF "title" ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION drop_search_text();

-- A seller's new name or address is found at once, a removed account's old one never again.
CREATE FUNCTION user_drops_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Drop" SET "searchText" = lower("title") || E'\n' || NEW."searchText" WHERE "userId" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "User_drops_search_text" AFTER UPDATE ON "User"
  FOR EACH ROW WHEN (OLD."searchText" IS DISTINCT FROM NEW."searchText") EXECUTE FUNCTION user_drops_search_text();

UPDATE "User" SET "searchText" = lower(concat_ws(E'\n', "email", "username"));
UPDATE "Drop" d SET "searchText" = lower(d."title") || E'\n' || u."searchText" FROM "User" u WHERE u."id" = d."userId";

-- Trigrams come with every Postgres, but an owner of a database may be forbidden to add them: then searches read the table.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXECUTE 'CREATE INDEX "User_searchText_idx" ON "User" USING gin ("searchText" gin_trgm_ops)';
  EXECUTE 'CREATE INDEX "Drop_searchText_idx" ON "Drop" USING gin ("searchText" gin_trgm_ops)';
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: searches in the admin panel will be slower on large tables';
END $$;

-- The filters of the admin lists, with indexes no larger than what they list.
CREATE INDEX "User_suspended_idx" ON "User" ("id") WHERE "isSuspended";
CREATE INDEX "User_admin_idx" ON "User" ("id") WHERE "isAdmin";
CREATE INDEX "Drop_admin_active_idx" ON "Drop" ("id") WHERE "isActive" AND "hiddenAt" IS NULL;
CREATE INDEX "Drop_admin_promoted_idx" ON "Drop" ("id") WHERE "isFeatured" OR "isPinned";
CREATE INDEX "Drop_admin_hidden_idx" ON "Drop" ("id") WHERE "hiddenAt" IS NOT NULL;
CREATE INDEX "Drop_admin_review_idx" ON "Drop" ("id") WHERE "moderation" <> 'allowed';
CREATE INDEX "Order_createdAt_id_idx" ON "Order" ("createdAt" DESC, "id" DESC);
CREATE INDEX "WebhookEvent_receivedAt_id_idx" ON "WebhookEvent" ("receivedAt" DESC, "id" DESC);
