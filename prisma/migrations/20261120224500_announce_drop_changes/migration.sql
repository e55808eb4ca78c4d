-- Tells every process which drop changed, under each name it is asked for by, so that the shared cache forgets it.
CREATE FUNCTION announce_drop_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', NEW."id", NEW."uniqueId", NEW."customSlug"));
  RETURN NULL;
END $$;

CREATE TRIGGER "Drop_announce_change" AFTER UPDATE ON "Drop"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION announce_drop_change();
