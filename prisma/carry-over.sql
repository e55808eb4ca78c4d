-- Turns a database that the seventeen earlier migrations made into what prisma/migrations/20261122080000_start makes.
-- prisma/migrate.mjs runs it once, in one transaction with the change of the history. It may run again without harm.

-- The date a run was closed. Eight places wrote it and nothing read it: "endTime" and the drop's "archivedAt" say the same.
ALTER TABLE "DropRun" DROP COLUMN IF EXISTS "closedAt";
