-- AlterTable
ALTER TABLE "OutboxMail" ADD COLUMN     "isUrgent" BOOLEAN NOT NULL DEFAULT false;

-- Urgent mail has its own run of the sender. Without the index that run would read every waiting mail once a second.
CREATE INDEX "OutboxMail_urgent_idx" ON "OutboxMail" ("sendAfter") WHERE "sentAt" IS NULL AND "isUrgent";
