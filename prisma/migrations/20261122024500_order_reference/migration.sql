-- What people call an order: the end of its id, whatever the case.
CREATE INDEX "Order_reference_idx" ON "Order" (upper(right("id", 8)));
