-- Buyers and search engines read in which condition the goods of a physical drop are.
CREATE TYPE "ItemCondition" AS ENUM ('new', 'used', 'refurbished');
ALTER TABLE "Drop" ADD COLUMN "condition" "ItemCondition" NOT NULL DEFAULT 'new';
