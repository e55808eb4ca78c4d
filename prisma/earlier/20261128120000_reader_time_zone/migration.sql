-- The time zone of the browser in which someone asked for emails about a drop, so that the emails give times in it. It is unknown
-- for requests from before, and for browsers without JavaScript.
ALTER TABLE "WaitlistEntry" ADD COLUMN "timezone" TEXT;
ALTER TABLE "Follower" ADD COLUMN "timezone" TEXT;
