-- An administrator can stop the payouts of a seller until a time, for example while a fraud is examined.
ALTER TABLE "User" ADD COLUMN "payoutsStoppedUntil" TIMESTAMPTZ(3);
