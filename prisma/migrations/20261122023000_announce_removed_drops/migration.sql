-- A drop that is deleted is forgotten by the shared cache like one that changed.
CREATE FUNCTION announce_drop_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', OLD."id", OLD."uniqueId", OLD."customSlug"));
  RETURN NULL;
END $$;

CREATE TRIGGER "Drop_announce_removal" AFTER DELETE ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION announce_drop_removal();

-- What a seller's profile lists, and how long each still runs. Counters are a second old there at most, as before.
CREATE FUNCTION announce_profile_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('profile_changed', u."username") FROM "User" u
    WHERE u."id" = coalesce(NEW."userId", OLD."userId") AND u."username" IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER "Drop_announce_profile_change"
  AFTER INSERT OR DELETE OR UPDATE OF "isActive", "endTime", "hiddenAt", "moderation", "title", "priceCents" ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION announce_profile_change();

-- Those who went away are few: what becomes paid after they went is looked for among them alone.
CREATE INDEX "User_deletedAt_idx" ON "User" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
