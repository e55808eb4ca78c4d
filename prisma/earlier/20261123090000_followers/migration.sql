-- Addresses of people who asked for mails about a seller's drops (ADR 0058). Nothing that exists is rewritten.
CREATE TABLE "Follower" (
    "id" SERIAL NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "mailbox" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "askedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3),
    "page" TEXT NOT NULL,
    "consentText" TEXT NOT NULL,

    CONSTRAINT "Follower_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "Follower_tokenHash_key" ON "Follower"("tokenHash");
CREATE UNIQUE INDEX "Follower_sellerId_mailbox_key" ON "Follower"("sellerId", "mailbox");
ALTER TABLE "Follower" ADD CONSTRAINT "Follower_sellerId_fkey" FOREIGN KEY ("sellerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The mails of a drop go to the confirmed followers in the order of their ids. Every second the job asks which sellers have any.
CREATE INDEX "Follower_confirmed_some" ON "Follower" ("sellerId", "id") WHERE "confirmedAt" IS NOT NULL;
-- Finds the requests that nobody confirmed in time, which are deleted.
CREATE INDEX "Follower_unconfirmed_some" ON "Follower" ("askedAt") WHERE "confirmedAt" IS NULL;

-- One row per drop and kind of mail. The unique index is what limits a drop to three mails: a second process, a relaunch or a
-- change of times finds the row and cannot begin the same mail again.
CREATE TABLE "FollowerNotice" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "namedTime" TIMESTAMPTZ(3) NOT NULL,
    "lastFollowerId" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "doneAt" TIMESTAMPTZ(3),

    CONSTRAINT "FollowerNotice_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "FollowerNotice_dropId_kind_key" ON "FollowerNotice"("dropId", "kind");
ALTER TABLE "FollowerNotice" ADD CONSTRAINT "FollowerNotice_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A fourth kind would be a fourth mail.
ALTER TABLE "FollowerNotice" ADD CONSTRAINT "FollowerNotice_kind_check" CHECK ("kind" IN ('scheduled', 'live', 'lastHour'));
-- The notices that the job is still working on. It is empty for most of the time.
CREATE INDEX "FollowerNotice_open_some" ON "FollowerNotice" ("id") WHERE "doneAt" IS NULL;

-- The notice to which a mail belongs; null for every other mail. Unsent mails of a notice are taken back when the drop may no
-- longer be announced.
ALTER TABLE "OutboxMail" ADD COLUMN "noticeId" INTEGER;
CREATE INDEX "OutboxMail_notice_unsent" ON "OutboxMail" ("noticeId") WHERE "noticeId" IS NOT NULL AND "sentAt" IS NULL;
