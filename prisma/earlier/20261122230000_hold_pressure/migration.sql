-- Since when more than half of a drop's unsold units have been unpaid. The job that gives units back counts the minute from it.
-- Null for nearly every drop, so the index, which finds the contests that are over, stays small.
ALTER TABLE "Drop" ADD COLUMN "contestedSince" TIMESTAMPTZ(3);
CREATE INDEX "Drop_contested_idx" ON "Drop" ("id") WHERE "contestedSince" IS NOT NULL;

-- Counts the units that one network has in checkout at a drop after taking a lock for both, which lasts until the end of the
-- transaction. A statement sees only what was committed before it began; a function that is VOLATILE sees, after the lock, what
-- earlier holders of the lock have written. So a hold needs one statement, and its row of "Drop" is free again at once.
CREATE FUNCTION lock_units_in_checkout(origin_key text, drop_id integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF origin_key IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(origin_key, drop_id));
  RETURN (SELECT coalesce(sum(h."quantity"), 0) FROM "Hold" h
           WHERE h."originKey" = origin_key AND h."dropId" = drop_id AND h."state" = 'held');
END
$$;
