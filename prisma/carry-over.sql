-- Brings a database of the seventeen earlier migrations to the schema of prisma/migrations/20261122080000_start.
-- prisma/migrate.mjs runs this script once, in the transaction that also changes the history. Running it again does no harm.

-- This column held the date when a run was closed. No code reads it, because "endTime" and the drop's "archivedAt" hold the
-- same date.
ALTER TABLE "DropRun" DROP COLUMN IF EXISTS "closedAt";
