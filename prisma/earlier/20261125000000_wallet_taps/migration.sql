-- The newest tap on a wallet's button that uses a hold. Without it, a call that cancels an earlier tap and arrives late would release
-- the units of a newer tap. A process of the previous version leaves it empty, and then the age of the hold decides as before.
ALTER TABLE "Hold" ADD COLUMN "tapId" TEXT;
