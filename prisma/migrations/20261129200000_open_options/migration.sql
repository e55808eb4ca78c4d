-- An open edition can have an option, such as a size, because a shirt that is made to order comes in sizes, too. Its values have no
-- stock of their own. Each has the cap of the drop as its quantity, so the checks on both tables stay as they are, and the check on
-- the drop decides about the last unit (ADR 0064). An open edition still has one run and no list of keys.
ALTER TABLE "Drop" DROP CONSTRAINT "Drop_open_edition", ADD CONSTRAINT "Drop_open_edition" CHECK (
  NOT "isOpenEdition" OR ("run" = 1 AND "keysGiven" IS NULL)) NOT VALID;
ALTER TABLE "Drop" VALIDATE CONSTRAINT "Drop_open_edition";
