-- To which countries a drop is shipped, and what that costs (ADR 0067). Nothing that exists is rewritten: without zones a drop is
-- shipped to all countries of the platform, and its price includes shipping.
-- The tables are locked in the order in which the application locks their rows. Another order could deadlock with a payment.
LOCK TABLE "Order", "Drop" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "Drop" ADD COLUMN "shippingZones" JSONB;
ALTER TABLE "Order" ADD COLUMN "shipsTo" TEXT, ADD COLUMN "shippingCents" INTEGER NOT NULL DEFAULT 0;

-- Whether a document is a list of one to three zones, each with a surcharge in cents and its countries, where no country is in two
-- zones. The limits are MAX_ZONES in lib/drops/delivery/zone-rules.ts and MAX_PRICE_CENTS in lib/kernel/money.ts.
CREATE FUNCTION is_zone_list(zones JSONB) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(zones) <> 'array' OR jsonb_array_length(zones) NOT BETWEEN 1 AND 3 THEN false
    WHEN EXISTS (SELECT FROM jsonb_array_elements(zones) z
                  WHERE jsonb_typeof(z) <> 'object' OR z - 'cents' - 'countries' <> '{}'::jsonb
                     OR jsonb_typeof(z -> 'cents') IS DISTINCT FROM 'number' OR jsonb_typeof(z -> 'countries') IS DISTINCT FROM 'array') THEN false
    ELSE (SELECT bool_and((z ->> 'cents') ~ '^[0-9]{1,8}$' AND jsonb_array_length(z -> 'countries') >= 1) FROM jsonb_array_elements(zones) z)
     AND (SELECT bool_and(jsonb_typeof(c) = 'string' AND (c #>> '{}') ~ '^[A-Z]{2}$') AND count(*) = count(DISTINCT c)
            FROM jsonb_array_elements(zones) z, jsonb_array_elements(z -> 'countries') c)
    END
$$;

-- A statement that holds units reads the surcharge from this column. A country in two zones would have two prices, and other
-- content would charge nothing or fail.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_shippingZones_check" CHECK ("shippingZones" IS NULL OR ("productType" = 'physical' AND is_zone_list("shippingZones")));

-- The amounts of an order still add up to the cent: price times quantity and the surcharge for shipping are what the buyer pays.
ALTER TABLE "Order" DROP CONSTRAINT "Order_money";
ALTER TABLE "Order" ADD CONSTRAINT "Order_money" CHECK (
  "amountCents" = "unitPriceCents" * "quantity" + "shippingCents" AND "amountCents" > 0
  AND "platformFeeCents" >= 0 AND "sellerPayoutCents" >= 0
  AND "platformFeeCents" + "sellerPayoutCents" = "amountCents"
  AND "platformFeeBps" BETWEEN 0 AND 10000
  AND "refundedCents" BETWEEN 0 AND "amountCents"
  AND "currency" = 'usd'
);
-- A surcharge without a country would be charged for a parcel that may go anywhere, and only parcels go to a country.
ALTER TABLE "Order" ADD CONSTRAINT "Order_shipping" CHECK (
  "shippingCents" >= 0 AND ("shippingCents" = 0 OR "shipsTo" IS NOT NULL) AND ("shipsTo" IS NULL OR "productType" = 'physical')
);

-- An order of a drop with zones is only paid when its country is known, because the country decides the amount. A process of the
-- previous version knows no zones. It is refused here, before the buyer can pay, and releases the units.
CREATE FUNCTION order_needs_country() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Drop" WHERE "id" = NEW."dropId" AND "shippingZones" IS NOT NULL) THEN
    RAISE EXCEPTION 'order % has no country to ship to', NEW."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Order_needs_country" BEFORE UPDATE OF "stripeSessionId", "stripePaymentIntentId" ON "Order"
  FOR EACH ROW WHEN (NEW."shipsTo" IS NULL AND NEW."productType" = 'physical' AND OLD."status" = 'pending' AND NEW."status" = 'pending'
    AND OLD."stripeSessionId" IS NULL AND OLD."stripePaymentIntentId" IS NULL
    AND (NEW."stripeSessionId" IS NOT NULL OR NEW."stripePaymentIntentId" IS NOT NULL))
  EXECUTE FUNCTION order_needs_country();
