-- The dashboard sums what waits for a payout and what was sent lately. Without these two indexes it would read every payout that
-- the seller ever had, on every visit.
CREATE INDEX "Transfer_seller_waiting_idx" ON "Transfer" ("sellerId") WHERE "state" = 'waiting';
CREATE INDEX "Transfer_seller_sent_idx" ON "Transfer" ("sellerId", "sentAt") WHERE "sentAt" IS NOT NULL;

-- The dashboard lists disputes that still need evidence. Without it, every dispute of the platform would be read.
CREATE INDEX "Dispute_unanswered_idx" ON "Dispute" ("orderId") WHERE "submittedAt" IS NULL AND "closedAt" IS NULL;
