-- Brings a database of the seventeen earliest migrations to the schema of 20261122080000_start in this folder.
-- prisma/carry-over.mjs runs this script once, in the transaction that also changes the history. Running it again does no harm.

-- This column held the date when a run was closed. No code reads it, because "endTime" and the drop's "archivedAt" hold the
-- same date.
ALTER TABLE "DropRun" DROP COLUMN IF EXISTS "closedAt";
