-- The recorded Stripe account did not show its mode. It is recorded again, with the mode, when Stripe next returns a
-- connected account (lib/platform/note-stripe-account.ts).
UPDATE "PlatformSettings" SET "stripeAccountId" = NULL;
