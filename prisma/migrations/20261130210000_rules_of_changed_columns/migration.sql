-- Postgres parses and evaluates every CHECK constraint of a table for each statement that writes one of its rows, even
-- when no column of the constraint changes. The 29 constraints of these three tables cost Postgres about an eighth of
-- its time for a purchase (ADR 0076). A trigger keeps the same rules, and runs only when a statement sets one of their
-- columns. Without these rules, a wrong statement could store an order whose fee and payout do not add up, or a drop
-- that nobody can sell correctly. The rule about the stock of a drop stays a CHECK constraint, because every sale
-- changes its columns.

-- The strongest locks are taken first. Otherwise each statement below would need a stronger lock than the one before it,
-- and could deadlock with every transaction of a process of the previous version. After a deadlock the script runs again.
LOCK TABLE "Order", "Drop", "Transfer" IN ACCESS EXCLUSIVE MODE;

-- broken_rule() returns the name of the first rule that a row breaks, or NULL. A rule whose result is unknown, because
-- a column is NULL, is kept, as with a CHECK constraint.
CREATE FUNCTION broken_rule(r "Drop") RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN (r."views" >= 0 AND r."purchases" >= 0) IS FALSE THEN 'Drop_counters'
    WHEN (r."customSlug" ~ '^[a-z0-9-]{1,50}$' AND r."customSlug" !~ '^[0-9]+$') IS FALSE THEN 'Drop_customSlug_shape'
    WHEN (r."duration" IN (24, 48, 72)) IS FALSE THEN 'Drop_duration'
    WHEN ((r."earlyMinutes" IS NULL) = (r."earlyUnits" IS NULL)
          AND r."earlyMinutes" BETWEEN 30 AND 120 AND r."earlyUnits" >= 1) IS FALSE THEN 'Drop_early'
    WHEN (r."earlyTaken" >= 0) IS FALSE THEN 'Drop_early_taken'
    WHEN (r."keysGiven" IS NULL
          OR (r."keysGiven" >= 0 AND r."productType" = 'digital' AND r."optionName" IS NULL)) IS FALSE THEN 'Drop_keys'
    WHEN (r."maxPerBuyer" BETWEEN 1 AND 10) IS FALSE THEN 'Drop_maxPerBuyer'
    WHEN (NOT r."isNumbered" OR r."productType" <> 'service') IS FALSE THEN 'Drop_numbered'
    WHEN (NOT r."isOpenEdition" OR (r."run" = 1 AND r."keysGiven" IS NULL)) IS FALSE THEN 'Drop_open_edition'
    WHEN (char_length(r."optionName") BETWEEN 1 AND 20) IS FALSE THEN 'Drop_optionName'
    WHEN (r."priceCents" BETWEEN 50 AND 99999999) IS FALSE THEN 'Drop_price'
    WHEN (r."quantity" BETWEEN 1 AND 1000000) IS FALSE THEN 'Drop_quantity'
    WHEN (r."shippingZones" IS NULL
          OR (r."productType" = 'physical' AND is_zone_list(r."shippingZones"))) IS FALSE THEN 'Drop_shippingZones_check'
    WHEN (r."shipsWithin" BETWEEN 1 AND 60) IS FALSE THEN 'Drop_shipsWithin_check'
    WHEN (r."endTime" > r."startedAt" OR r."archivedAt" IS NOT NULL OR NOT r."isActive") IS FALSE THEN 'Drop_times'
  END;
END
$$;

CREATE FUNCTION broken_rule(r "Order") RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN (r."deliveredBy" IS NULL
          OR (r."deliveredBy" IN ('buyer', 'seller') AND r."deliveredAt" IS NOT NULL)) IS FALSE THEN 'Order_delivered'
    WHEN (r."discountCents" >= 0
          AND (r."discountCode" IS NULL) = (r."discountCents" = 0)) IS FALSE THEN 'Order_discount'
    WHEN (r."discountCode" IS NULL OR r."unitPriceCents" >= 50) IS FALSE THEN 'Order_discounted_price'
    WHEN (r."lateRefundAt" IS NULL OR r."shippedAt" IS NULL) IS FALSE THEN 'Order_late_not_shipped_check'
    WHEN (r."amountCents" = r."unitPriceCents" * r."quantity" + r."shippingCents" AND r."amountCents" > 0
          AND r."platformFeeCents" >= 0 AND r."sellerPayoutCents" >= 0
          AND r."platformFeeCents" + r."sellerPayoutCents" = r."amountCents"
          AND r."platformFeeBps" BETWEEN 0 AND 10000
          AND r."refundedCents" BETWEEN 0 AND r."amountCents" AND r."currency" = 'usd') IS FALSE THEN 'Order_money'
    WHEN ((r."optionName" IS NULL) = (r."optionValue" IS NULL)) IS FALSE THEN 'Order_option'
    WHEN ((r."paidAt" IS NULL) = (r."status" IN ('pending', 'expired'))) IS FALSE THEN 'Order_paid'
    WHEN (r."shippingCents" >= 0 AND (r."shippingCents" = 0 OR r."shipsTo" IS NOT NULL)
          AND (r."shipsTo" IS NULL OR r."productType" = 'physical')) IS FALSE THEN 'Order_shipping'
    WHEN (r."shipsBy" IS NULL OR r."productType" = 'physical') IS FALSE THEN 'Order_shipsBy_physical_check'
    WHEN (r."taxCents" BETWEEN 0 AND r."platformFeeCents") IS FALSE THEN 'Order_tax'
  END;
END
$$;

CREATE FUNCTION broken_rule(r "Transfer") RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN (r."feeOwedCents" >= 0 AND r."withheldCents" >= 0 AND r."recoveredCents" >= 0) IS FALSE THEN 'Transfer_debt'
    WHEN (r."paidByHandAt" IS NULL
          OR (r."sentCents" IS NOT NULL AND r."sentAt" IS NOT NULL AND r."stripeTransferId" IS NULL
              AND r."destination" IS NULL AND cardinality(r."againTransferIds") = 0)) IS FALSE THEN 'Transfer_hand'
    WHEN (r."amountCents" >= 0
          AND r."deductedCents" BETWEEN 0 AND r."amountCents") IS FALSE THEN 'Transfer_money'
    WHEN ((r."sentCents" IS NULL OR r."sentCents" >= 0) AND r."sentAgainCents" >= 0
          AND r."reversedAtStripeCents" BETWEEN 0 AND COALESCE(r."sentCents", 0) + r."sentAgainCents")
         IS FALSE THEN 'Transfer_sent'
  END;
END
$$;

-- The error has the code of a CHECK constraint and the name of the rule, so callers need not know which of the two
-- refused a row.
CREATE FUNCTION refuse_broken_rule() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken text := broken_rule(NEW);
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a row of "%" breaks the rule "%"', TG_TABLE_NAME, broken
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
  END IF;
  RETURN NEW;
END
$$;

-- Each trigger names all columns that its rules read. If one were missing, a statement that sets only this column could
-- break a rule. Triggers that run before a row is written run in the order of their names. None that runs later changes
-- one of these columns.
CREATE TRIGGER "Drop_rules" BEFORE INSERT OR UPDATE OF "views", "purchases", "customSlug", "duration", "earlyMinutes",
  "earlyUnits", "earlyTaken", "keysGiven", "productType", "optionName", "maxPerBuyer", "isNumbered", "isOpenEdition",
  "run", "priceCents", "quantity", "shippingZones", "shipsWithin", "endTime", "startedAt", "archivedAt", "isActive"
  ON "Drop" FOR EACH ROW EXECUTE FUNCTION refuse_broken_rule();

CREATE TRIGGER "Order_rules" BEFORE INSERT OR UPDATE OF "deliveredBy", "deliveredAt", "discountCents", "discountCode",
  "unitPriceCents", "lateRefundAt", "shippedAt", "amountCents", "quantity", "shippingCents", "platformFeeCents",
  "sellerPayoutCents", "platformFeeBps", "refundedCents", "currency", "optionName", "optionValue", "paidAt", "status",
  "shipsTo", "productType", "shipsBy", "taxCents"
  ON "Order" FOR EACH ROW EXECUTE FUNCTION refuse_broken_rule();

CREATE TRIGGER "Transfer_rules" BEFORE INSERT OR UPDATE OF "feeOwedCents", "withheldCents", "recoveredCents",
  "paidByHandAt", "sentCents", "sentAt", "stripeTransferId", "destination", "againTransferIds", "amountCents",
  "deductedCents", "sentAgainCents", "reversedAtStripeCents"
  ON "Transfer" FOR EACH ROW EXECUTE FUNCTION refuse_broken_rule();

ALTER TABLE "Drop" DROP CONSTRAINT "Drop_counters", DROP CONSTRAINT "Drop_customSlug_shape",
  DROP CONSTRAINT "Drop_duration", DROP CONSTRAINT "Drop_early", DROP CONSTRAINT "Drop_early_taken",
  DROP CONSTRAINT "Drop_keys", DROP CONSTRAINT "Drop_maxPerBuyer", DROP CONSTRAINT "Drop_numbered",
  DROP CONSTRAINT "Drop_open_edition", DROP CONSTRAINT "Drop_optionName", DROP CONSTRAINT "Drop_price",
  DROP CONSTRAINT "Drop_quantity", DROP CONSTRAINT "Drop_shippingZones_check",
  DROP CONSTRAINT "Drop_shipsWithin_check", DROP CONSTRAINT "Drop_times";
ALTER TABLE "Order" DROP CONSTRAINT "Order_delivered", DROP CONSTRAINT "Order_discount",
  DROP CONSTRAINT "Order_discounted_price", DROP CONSTRAINT "Order_late_not_shipped_check",
  DROP CONSTRAINT "Order_money", DROP CONSTRAINT "Order_option", DROP CONSTRAINT "Order_paid",
  DROP CONSTRAINT "Order_shipping", DROP CONSTRAINT "Order_shipsBy_physical_check", DROP CONSTRAINT "Order_tax";
ALTER TABLE "Transfer" DROP CONSTRAINT "Transfer_debt", DROP CONSTRAINT "Transfer_hand",
  DROP CONSTRAINT "Transfer_money", DROP CONSTRAINT "Transfer_sent";

-- The list of orphaned events also shows those that failed until Stripe no longer had them. Without an index for these
-- words, a page of the list would read all events of 90 days.
DROP INDEX "WebhookEvent_orphaned_idx";
CREATE INDEX "WebhookEvent_orphaned_idx" ON "WebhookEvent" ("receivedAt" DESC, "id" DESC)
  WHERE "outcome" IN ('unknown', 'mismatch', 'gone');
