-- The tables are locked in the order in which the application locks their rows. Another order could deadlock with a payment.
LOCK TABLE "Drop", "DropRun" IN SHARE ROW EXCLUSIVE MODE;

-- A run that has given no number can be put back on sale, because no receipt names its total. The clock is read when the row is
-- changed: now() is the start of the transaction, so a long transaction could move the end of a run that is over by then.
CREATE OR REPLACE FUNCTION "refuse_reopened_edition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."isNumbered" AND NOT EXISTS (SELECT FROM "EditionNumber" e WHERE e."dropId" = NEW."id" AND e."run" = NEW."run") THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the numbers of drop % are final', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_edition_final';
END $$;
DROP TRIGGER "Drop_edition_final" ON "Drop";
CREATE TRIGGER "Drop_edition_final" BEFORE UPDATE OF "endTime", "isNumbered" ON "Drop" FOR EACH ROW
  WHEN (OLD."isNumbered" AND OLD."run" = NEW."run"
    AND (NOT NEW."isNumbered" OR (OLD."endTime" <= clock_timestamp() AND NEW."endTime" > OLD."endTime")))
  EXECUTE FUNCTION "refuse_reopened_edition"();

-- The number of a unit is the number of units that its run has sold. If this count fell, the next payment would get a number that is
-- given already and would fail again and again. A process of the version before numbered editions lowers it when it puts refunded
-- units back on sale. Its transaction is refused as a whole; Stripe has the refund, and a process of this version records it.
CREATE FUNCTION "refuse_fewer_numbers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Drop" d WHERE d."id" = NEW."dropId" AND d."isNumbered") THEN
    RAISE EXCEPTION 'units of numbered drop % stay sold', NEW."dropId" USING ERRCODE = 'check_violation', CONSTRAINT = 'DropRun_numbers_stay';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "DropRun_numbers_stay" BEFORE UPDATE OF "sold" ON "DropRun" FOR EACH ROW
  WHEN (NEW."sold" < OLD."sold") EXECUTE FUNCTION "refuse_fewer_numbers"();

-- Finds the few refunded orders of a drop, for the pages that say how many of the sold units were refunded.
CREATE INDEX "Order_dropId_refunded_idx" ON "Order"("dropId") WHERE "refundedCents" > 0;
