-- Discount codes of a drop (ADR 0055). Nothing is rewritten: holds and orders that exist have no code.

-- AlterTable
ALTER TABLE "Hold" ADD COLUMN     "codeId" INTEGER;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN     "discountCents" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "discountCode" TEXT;

-- CreateTable
CREATE TABLE "DiscountCode" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "percent" INTEGER,
    "offCents" INTEGER,
    "maxUses" INTEGER,
    "perBuyer" INTEGER,
    "endsAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "used" INTEGER NOT NULL DEFAULT 0,
    "discountedCents" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DiscountCode_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "DiscountCode_dropId_code_key" ON "DiscountCode"("dropId", "code");

-- AddForeignKey
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_codeId_fkey" FOREIGN KEY ("codeId") REFERENCES "DiscountCode"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The limit per buyer of a code counts the orders that have it. Most holds have no code, and are not in this index.
CREATE INDEX "Hold_codeId_some" ON "Hold" ("codeId") WHERE "codeId" IS NOT NULL;

-- A code is never used more often than its seller allowed. As with stock, the statements check it first; this is the last line of
-- defence, without which two buyers at once could both have the last use.
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_uses" CHECK ("used" >= 0 AND ("maxUses" IS NULL OR "used" <= "maxUses") AND "discountedCents" >= 0);

-- A code is a percentage or an amount, within the limits of the form. With both or neither, nobody could say what buyers pay.
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_discount" CHECK (("percent" IS NULL) <> ("offCents" IS NULL) AND "percent" BETWEEN 1 AND 90 AND "offCents" BETWEEN 1 AND 99999999);
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_limits" CHECK ("maxUses" BETWEEN 1 AND 10000 AND "perBuyer" BETWEEN 1 AND 10);

-- Codes are stored in one spelling. Another one would be a second code that no buyer could reach.
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_code" CHECK ("code" ~ '^[A-Z0-9][A-Z0-9-]{1,18}[A-Z0-9]$');

-- An order has a code and a discount, or neither. A discount without a code could not be explained to the seller.
ALTER TABLE "Order" ADD CONSTRAINT "Order_discount" CHECK ("discountCents" >= 0 AND ("discountCode" IS NULL) = ("discountCents" = 0));

-- No discount leads below the smallest amount that Stripe charges; the session could not be opened, and the units would be held
-- for nobody.
ALTER TABLE "Order" ADD CONSTRAINT "Order_discounted_price" CHECK ("discountCode" IS NULL OR "unitPriceCents" >= 50);
