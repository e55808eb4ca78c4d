-- Followers may buy any whole number of minutes from 30 to 120 before the start (docs/product.md#early-access). The form
-- offers four of them, and the API accepts all. The old check allowed only these four.
ALTER TABLE "Drop" DROP CONSTRAINT "Drop_early";
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_early" CHECK (
  ("earlyMinutes" IS NULL) = ("earlyUnits" IS NULL) AND "earlyMinutes" BETWEEN 30 AND 120 AND "earlyUnits" >= 1) NOT VALID;
ALTER TABLE "Drop" VALIDATE CONSTRAINT "Drop_early";
