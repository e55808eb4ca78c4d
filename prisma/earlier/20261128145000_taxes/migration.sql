-- The tax that Stripe Tax found in an order, and the country that a download or a service was sold to.
ALTER TABLE "Order" ADD COLUMN "taxCents" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Order" ADD COLUMN "billingCountry" TEXT;

-- The tax is withheld as a part of the platform's fee. Without this, a tax could be recorded that was paid out to the seller.
ALTER TABLE "Order" ADD CONSTRAINT "Order_tax" CHECK ("taxCents" BETWEEN 0 AND "platformFeeCents");

-- A country can have several rates, each from its own first day.
ALTER TABLE "TaxRate" ADD COLUMN "fromDay" TEXT NOT NULL DEFAULT '';
ALTER TABLE "TaxRate" DROP CONSTRAINT "TaxRate_pkey";
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_pkey" PRIMARY KEY ("userId", "country", "fromDay");

-- Days are compared as texts. A day that is written differently would be sorted wrongly, so that orders got the wrong rate.
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_fromDay" CHECK ("fromDay" ~ '^(\d{4}-\d{2}-\d{2})?$');
