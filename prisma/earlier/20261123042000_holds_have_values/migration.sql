-- A process of a version without options names no value when it holds units. While it runs beside a newer one, it would sell
-- units of a drop with an option without saying which, and the drop would no longer be the sum of its values. It gets an
-- error instead, and sells nothing. Holds that are over may have lost their value, because the seller removed it.
CREATE FUNCTION refuse_hold_without_value() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "Drop" d WHERE d."id" = NEW."dropId" AND d."optionName" IS NOT NULL) THEN
    RAISE EXCEPTION 'A hold on drop % has to name a value of its option.', NEW."dropId" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER hold_has_value BEFORE INSERT ON "Hold" FOR EACH ROW
  WHEN (NEW."valueId" IS NULL AND NEW."state" = 'held') EXECUTE FUNCTION refuse_hold_without_value();
