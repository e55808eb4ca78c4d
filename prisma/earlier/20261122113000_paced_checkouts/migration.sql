-- Stripe takes a limited number of new sessions a second. When more buyers come at once, they hold their units and wait in line
-- for their session (ADR 0052).

ALTER TABLE "Hold"
  ADD COLUMN "opensAt" TIMESTAMPTZ(3),
  ADD COLUMN "openingSince" TIMESTAMPTZ(3);

-- The line is the same for all processes. It is UNLOGGED, because it is written once per checkout and is worth nothing after a
-- crash: Postgres empties it then, and it begins anew.
CREATE UNLOGGED TABLE "StripeLine" (
    "id" INTEGER NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "slowUntil" TIMESTAMPTZ(3),

    CONSTRAINT "StripeLine_pkey" PRIMARY KEY ("id")
);
