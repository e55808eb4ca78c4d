-- Which values of an option a change removed, added, lowered or raised. Changes from before this migration have none: nobody
-- recorded them.
ALTER TABLE "RunChange" ADD COLUMN "values" JSONB;

-- Pages read every element of the list. Without the check a text or an object could make the page of a drop fail.
ALTER TABLE "RunChange" ADD CONSTRAINT "RunChange_values_check" CHECK ("values" IS NULL OR jsonb_typeof("values") = 'array');
