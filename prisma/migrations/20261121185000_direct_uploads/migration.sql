-- An upload that goes straight to the storage takes longer than what waits here for its row, and is named by who sends it.
ALTER TABLE "StoredObject" ADD COLUMN "fileName" TEXT;
ALTER TABLE "StoredObject" ADD COLUMN "keepUntil" TIMESTAMPTZ(3);
