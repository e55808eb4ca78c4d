-- Code, screens and documents say "checkout mode" for how a buyer pays; the column and its type had another word for it. Nothing
-- is rewritten: a rename changes only the catalogue, and indexes, constraints and stored values stay as they are.
ALTER TABLE "Hold" RENAME COLUMN "door" TO "mode";
ALTER TYPE "CheckoutDoor" RENAME TO "CheckoutMode";
