-- A drop may start later than it is created: "startedAt" lies in the future until then (ADR 0054).

-- Whether the newest request of this address asked for the start of a drop that was scheduled, and not for a free unit.
ALTER TABLE "WaitlistEntry" ADD COLUMN "askedStart" BOOLEAN NOT NULL DEFAULT false;

-- No unit is held or sold before the start. Every statement that takes units has this condition itself; the trigger also stops
-- a process of the version before, which does not know that a drop can start later. The WHEN costs a sale one comparison.
CREATE FUNCTION "refuse_sale_before_start"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'drop % has not started', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_started';
END $$;
CREATE TRIGGER "Drop_started" BEFORE UPDATE OF "sold", "held" ON "Drop" FOR EACH ROW
  WHEN (NEW."startedAt" > now() AND NEW."sold" + NEW."held" > OLD."sold" + OLD."held")
  EXECUTE FUNCTION "refuse_sale_before_start"();

-- Finds the few drops that start soon, whose reminders are due.
CREATE INDEX "Drop_startedAt_idx" ON "Drop"("startedAt");
