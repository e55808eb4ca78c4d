-- Since when the recap of an ended run waits to be mailed. Null when there is nothing to mail. The statements that archive a drop
-- set it, and the job that queues the mail clears it. A process of the version before queues the mail itself and does not set it.
ALTER TABLE "DropRun" ADD COLUMN "recapDueAt" TIMESTAMPTZ(3);

-- The job looks for waiting recaps every 15 seconds. Without this index it would read every run.
CREATE INDEX "DropRun_recap_idx" ON "DropRun" ("recapDueAt", "id") WHERE "recapDueAt" IS NOT NULL;
