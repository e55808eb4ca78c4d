-- The tables are locked in the order in which the application locks their rows. Another order could deadlock with a payment.
LOCK TABLE "User", "Drop", "DropRun" IN ACCESS EXCLUSIVE MODE;

-- What was announced about a run, and what became of it, for the line under the clock of every drop page.
ALTER TABLE "DropRun" ADD COLUMN "firstEndTime" TIMESTAMPTZ(3), ADD COLUMN "soldOutAt" TIMESTAMPTZ(3);

-- One row for each change of a run that buyers were promised something about: its times and its units.
CREATE TABLE "RunChange" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reason" TEXT NOT NULL,
    "authorId" INTEGER,
    "startBefore" TIMESTAMPTZ(3),
    "startAfter" TIMESTAMPTZ(3),
    "endBefore" TIMESTAMPTZ(3),
    "endAfter" TIMESTAMPTZ(3),
    "unitsBefore" INTEGER,
    "unitsAfter" INTEGER,

    CONSTRAINT "RunChange_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "RunChange_dropId_run_idx" ON "RunChange"("dropId", "run");
ALTER TABLE "RunChange" ADD CONSTRAINT "RunChange_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The end that a run was announced with is kept by the database, so that a process of the version before keeps it, too. Without
-- it a run would look as if its end had never been moved. Runs that began before this migration have none: nobody recorded it.
CREATE FUNCTION "keep_first_end"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."firstEndTime" := COALESCE(NEW."firstEndTime", NEW."endTime");
  RETURN NEW;
END $$;
CREATE TRIGGER "DropRun_first_end" BEFORE INSERT ON "DropRun" FOR EACH ROW EXECUTE FUNCTION "keep_first_end"();

-- When the last unit of a run was sold. Whatever statement sells it, puts one back on sale or adds units, the time is right; it
-- costs a sale one comparison. Without it the page could not say how long a run took to sell out.
CREATE FUNCTION "note_sold_out"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."soldOutAt" := CASE WHEN NEW."sold" >= NEW."quantity" THEN now() END;
  RETURN NEW;
END $$;
CREATE TRIGGER "DropRun_sold_out" BEFORE UPDATE OF "sold", "quantity" ON "DropRun" FOR EACH ROW
  WHEN ((NEW."sold" >= NEW."quantity") <> (OLD."sold" >= OLD."quantity"))
  EXECUTE FUNCTION "note_sold_out"();

-- The pages of a seller's running drops say whether they may return, which auto-renew decides. Without this the shared cache
-- would not forget them when the seller switches it, and open pages would learn it late.
CREATE FUNCTION "announce_renewal_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', d."id", d."uniqueId", d."customSlug")) FROM "Drop" d
    WHERE d."userId" = NEW."id" AND d."hiddenAt" IS NULL AND d."endTime" > now() - interval '2 days';
  RETURN NULL;
END $$;
CREATE TRIGGER "User_announce_renewal" AFTER UPDATE OF "autoRenewDrops" ON "User" FOR EACH ROW
  WHEN (OLD."autoRenewDrops" <> NEW."autoRenewDrops") EXECUTE FUNCTION "announce_renewal_change"();
