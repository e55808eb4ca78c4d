-- A buyer asks once: the open request is there until the seller has answered it with money.
CREATE UNIQUE INDEX "Refund_one_open_request" ON "Refund" ("orderId") WHERE "state" = 'requested';
