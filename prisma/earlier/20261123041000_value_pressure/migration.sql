-- Since when more than half of a value's unsold units have been unpaid; as for a drop (20261122230000_hold_pressure).
ALTER TABLE "OptionValue" ADD COLUMN "contestedSince" TIMESTAMPTZ(3);
CREATE INDEX "OptionValue_contested_some" ON "OptionValue" ("id") WHERE "contestedSince" IS NOT NULL;

-- The same count as lock_units_in_checkout() with two arguments, for one value of the drop's option. Both take the same lock,
-- which a transaction gets only once, so a statement may call them in any sequence.
CREATE FUNCTION lock_units_in_checkout(origin_key text, drop_id integer, value_id integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF origin_key IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(origin_key, drop_id));
  RETURN (SELECT coalesce(sum(h."quantity"), 0) FROM "Hold" h
           WHERE h."originKey" = origin_key AND h."dropId" = drop_id AND h."valueId" = value_id AND h."state" = 'held');
END
$$;
