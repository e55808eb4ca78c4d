-- A form that is sent again, because its answer was lost or its button was tapped twice, makes one drop.
ALTER TABLE "Drop" ADD COLUMN "creationKey" TEXT;
CREATE UNIQUE INDEX "Drop_userId_creationKey_key" ON "Drop"("userId", "creationKey");
