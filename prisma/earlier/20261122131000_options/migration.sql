-- Options with stock: one option per drop (a size, a colour), each value with its own units (ADR 0053). Nothing is rewritten:
-- drops, holds and orders that exist have no option.

-- AlterTable
ALTER TABLE "Drop" ADD COLUMN     "optionName" TEXT;

-- AlterTable
ALTER TABLE "WaitlistEntry" ADD COLUMN     "askedValueId" INTEGER,
ADD COLUMN     "valueId" INTEGER;

-- AlterTable
ALTER TABLE "Hold" ADD COLUMN     "valueId" INTEGER;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN     "optionName" TEXT,
ADD COLUMN     "optionValue" TEXT;

-- CreateTable
CREATE TABLE "OptionValue" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "sold" INTEGER NOT NULL DEFAULT 0,
    "held" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "OptionValue_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WaitlistEntry" ADD CONSTRAINT "WaitlistEntry_valueId_fkey" FOREIGN KEY ("valueId") REFERENCES "OptionValue"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_valueId_fkey" FOREIGN KEY ("valueId") REFERENCES "OptionValue"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A value exists once per drop, in whatever case it is written. With two alike a buyer's choice could mean either, and the units
-- of one would be sold as the other's. The index also finds the values of a drop.
CREATE UNIQUE INDEX "OptionValue_one_per_drop" ON "OptionValue" ("dropId", lower("value"));

-- When a seller removes a value, Postgres looks for its holds and its waiting people. Without these indexes it would read both
-- tables; rows without a value, which are most of them, are not in them.
CREATE INDEX "Hold_valueId_some" ON "Hold" ("valueId") WHERE "valueId" IS NOT NULL;
CREATE INDEX "WaitlistEntry_valueId_some" ON "WaitlistEntry" ("valueId") WHERE "valueId" IS NOT NULL;

-- Units sold and units held never exceed the stock of their value. As on the drop, this is the last line of defence: the drop's
-- own check would not notice that seven of five M were sold while another size is left.
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_stock" CHECK ("sold" >= 0 AND "held" >= 0 AND "sold" + "held" <= "quantity");

-- A value may have no unit left in a new run, and has at most as many as a drop.
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_quantity" CHECK ("quantity" BETWEEN 0 AND 1000000);

-- A value and an option have names that fit on a packing slip. An empty one could not be chosen.
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_value" CHECK (char_length("value") BETWEEN 1 AND 30);
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_optionName" CHECK (char_length("optionName") BETWEEN 1 AND 20);

-- An order has both the name of the option and the chosen value, or neither. With one alone, nobody could say what was bought.
ALTER TABLE "Order" ADD CONSTRAINT "Order_option" CHECK (("optionName" IS NULL) = ("optionValue" IS NULL));
