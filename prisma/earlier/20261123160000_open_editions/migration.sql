-- An open edition sells as many units as are ordered until its end, up to a cap, which is its quantity (ADR 0064). Nothing that exists
-- is rewritten: every drop of before is limited.
-- The tables are locked in the order in which the application locks their rows. Another order could deadlock with a payment.
LOCK TABLE "Order", "Drop" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "Drop" ADD COLUMN "isOpenEdition" BOOLEAN NOT NULL DEFAULT false;

-- An open edition closes for ever, so it has one run. It has one stock, so it has neither an option nor a list of keys. This also stops
-- a process of the version before, which would launch a second run.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_open_edition" CHECK (NOT "isOpenEdition" OR ("run" = 1 AND "optionName" IS NULL AND "keysGiven" IS NULL));

-- Buyers were promised that the edition closes at its end and never returns. The verbs refuse a change themselves; this also stops a
-- process of the version before. The clock is read when the row is changed, because a long transaction may have begun before the end.
CREATE FUNCTION "refuse_changed_open_edition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the terms of open edition % are final', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_open_edition_final';
END $$;
CREATE TRIGGER "Drop_open_edition_final" BEFORE UPDATE OF "endTime", "quantity", "isOpenEdition" ON "Drop" FOR EACH ROW
  WHEN (OLD."isOpenEdition" <> NEW."isOpenEdition" OR (OLD."isOpenEdition" AND (
    (OLD."endTime" <= clock_timestamp() AND NEW."endTime" > OLD."endTime")
    OR (OLD."purchases" > 0 AND NEW."quantity" > OLD."quantity"))))
  EXECUTE FUNCTION "refuse_changed_open_edition"();
