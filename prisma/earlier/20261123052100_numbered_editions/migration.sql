-- Units of a numbered drop have numbers, 1, 2, 3 … in each run (ADR 0056). A service has no units that could have one.
ALTER TABLE "Drop" ADD COLUMN "isNumbered" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_numbered" CHECK (NOT "isNumbered" OR "productType" <> 'service');

-- The number of one unit that was sold, written by the statement that sells it. The key refuses a number that is given already.
CREATE TABLE "EditionNumber" (
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "orderId" TEXT NOT NULL,

    CONSTRAINT "EditionNumber_pkey" PRIMARY KEY ("dropId","run","number"),
    CONSTRAINT "EditionNumber_first" CHECK ("number" >= 1)
);
CREATE INDEX "EditionNumber_orderId_idx" ON "EditionNumber"("orderId");
ALTER TABLE "EditionNumber" ADD CONSTRAINT "EditionNumber_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "EditionNumber" ADD CONSTRAINT "EditionNumber_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The numbers of a run are final once it is over: a later end would make "17 of 62" wrong on every receipt and slip. The verbs refuse
-- it themselves; this also stops a process of the version before. Early ends and new runs are not concerned.
CREATE FUNCTION "refuse_reopened_edition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the numbers of drop % are final', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_edition_final';
END $$;
CREATE TRIGGER "Drop_edition_final" BEFORE UPDATE OF "endTime", "isNumbered" ON "Drop" FOR EACH ROW
  WHEN (OLD."isNumbered" AND OLD."run" = NEW."run" AND (NOT NEW."isNumbered" OR (OLD."endTime" <= now() AND NEW."endTime" > OLD."endTime")))
  EXECUTE FUNCTION "refuse_reopened_edition"();
