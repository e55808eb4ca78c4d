-- What sellers state about themselves before they sell: whether they sell as private persons or as a business, and for a business who
-- and where it is (ADR 0068). Each change is a new row, so that the page of an order still shows what its buyer saw.
CREATE TYPE "SellerKind" AS ENUM ('private', 'business');

CREATE TABLE "SellerDetails" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "kind" "SellerKind" NOT NULL,
    "country" TEXT NOT NULL,
    "legalName" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "phone" TEXT NOT NULL DEFAULT '',
    "register" TEXT NOT NULL DEFAULT '',
    "vatId" TEXT NOT NULL DEFAULT '',
    "isCertified" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SellerDetails_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "SellerDetails_userId_id_idx" ON "SellerDetails"("userId", "id" DESC);
ALTER TABLE "SellerDetails" ADD CONSTRAINT "SellerDetails_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Buyers are shown a business only with everything that the law asks for. Without this check, a faulty write could show half of it.
ALTER TABLE "SellerDetails" ADD CONSTRAINT "SellerDetails_complete" CHECK (
  "country" ~ '^[A-Z]{2}$' AND ("kind" = 'private' OR ("legalName" <> '' AND "address" <> '' AND "email" <> '' AND "isCertified")));

-- The VAT rates with which a seller's tax report is calculated, one per country.
CREATE TABLE "TaxRate" (
    "userId" INTEGER NOT NULL,
    "country" TEXT NOT NULL,
    "rateBps" INTEGER NOT NULL,

    CONSTRAINT "TaxRate_pkey" PRIMARY KEY ("userId","country")
);
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A rate is from 0 to 50 %. A rate outside of this range would be a typing error that ends up in a tax return.
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_range" CHECK ("country" ~ '^[A-Z]{2}$' AND "rateBps" BETWEEN 0 AND 5000);
