-- That it was promised once, and that it has been given, are two things: a later subscription owes nothing.
ALTER TABLE "Subscription" ADD COLUMN "moneyBackDoneAt" TIMESTAMPTZ(3);
