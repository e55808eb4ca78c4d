-- Buyers can change the address of an order until it is shipped. Nothing that exists is rewritten.
ALTER TABLE "Order" ADD COLUMN "addressVersion" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "slipVersion" INTEGER;

CREATE TABLE "AddressChange" (
    "orderId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "isUndo" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AddressChange_pkey" PRIMARY KEY ("orderId", "version")
);

ALTER TABLE "AddressChange" ADD CONSTRAINT "AddressChange_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The address of a parcel that is on its way is evidence for the bank. A process that has read the order before it was shipped must
-- not change it any more.
CREATE FUNCTION order_address_is_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the address of order % cannot change any more', OLD."id" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "Order_address_fixed" BEFORE UPDATE OF "addressVersion" ON "Order"
  FOR EACH ROW WHEN (OLD."addressVersion" IS DISTINCT FROM NEW."addressVersion" AND OLD."shippedAt" IS NOT NULL)
  EXECUTE FUNCTION order_address_is_fixed();
