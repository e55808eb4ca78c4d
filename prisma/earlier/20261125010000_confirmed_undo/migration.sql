-- An address that an account never confirmed may belong to somebody else. A link that gives the account back to such an
-- address no longer keeps others from signing up with it. Links of an older process count as before.
ALTER TABLE "Token" ADD COLUMN "wasConfirmed" BOOLEAN NOT NULL DEFAULT true;
