-- What happens when a promised day is missed (ADR 0063). Only orders with a promise are affected, so nothing that exists changes.
ALTER TABLE "Order" ADD COLUMN "lateRefundAt" TIMESTAMPTZ(3);

CREATE TABLE "ShippingDelay" (
    "id" SERIAL NOT NULL,
    "orderId" TEXT NOT NULL,
    "missedDay" TIMESTAMPTZ(3) NOT NULL,
    "newDay" TIMESTAMPTZ(3) NOT NULL,
    "isProposed" BOOLEAN NOT NULL DEFAULT false,
    "askedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answerBy" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "answeredAt" TIMESTAMPTZ(3),

    CONSTRAINT "ShippingDelay_pkey" PRIMARY KEY ("id")
);

-- A buyer is asked once about each promised day, however many processes run the job.
CREATE UNIQUE INDEX "ShippingDelay_orderId_missedDay_key" ON "ShippingDelay"("orderId", "missedDay");
ALTER TABLE "ShippingDelay" ADD CONSTRAINT "ShippingDelay_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- An order is shipped or refunded as late, never both. Without this constraint, a process of the previous version could ship an
-- order whose money is on its way back to the buyer.
ALTER TABLE "Order" ADD CONSTRAINT "Order_late_not_shipped_check" CHECK ("lateRefundAt" IS NULL OR "shippedAt" IS NULL);
-- An answer without a time, or a time without an answer, would be asked again or refunded again.
ALTER TABLE "ShippingDelay" ADD CONSTRAINT "ShippingDelay_answer_check"
  CHECK (("answer" IS NULL) = ("answeredAt" IS NULL) AND "answer" IN ('wait', 'refund', 'silence'));
-- Only one question about an order can be open, so that an answer always belongs to the question that the buyer reads.
CREATE UNIQUE INDEX "ShippingDelay_open_some" ON "ShippingDelay" ("orderId") WHERE "answeredAt" IS NULL;
-- The jobs look for promises and answers that are due, every few seconds.
CREATE INDEX "Order_promised_some" ON "Order" ("shipsBy") WHERE "shipsBy" IS NOT NULL AND "status" = 'paid';
CREATE INDEX "ShippingDelay_due_some" ON "ShippingDelay" ("answerBy") WHERE "answeredAt" IS NULL;
