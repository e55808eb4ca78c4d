-- The Stripe account that the connected accounts of sellers belong to. With the keys of another account Stripe knows none of
-- them, and without this column they would all be forgotten.
ALTER TABLE "PlatformSettings" ADD COLUMN "stripeAccountId" TEXT;
