-- What a seller writes on the public profile. A seller who has written nothing has no row.
CREATE TABLE "PublicProfile" (
    "userId" INTEGER NOT NULL,
    "about" TEXT NOT NULL DEFAULT '',
    "links" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PublicProfile_pkey" PRIMARY KEY ("userId")
);

ALTER TABLE "PublicProfile" ADD CONSTRAINT "PublicProfile_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The limits are those of lib/profiles/rules.ts.
ALTER TABLE "PublicProfile" ADD CONSTRAINT "PublicProfile_about_check" CHECK (char_length("about") <= 160);
ALTER TABLE "PublicProfile" ADD CONSTRAINT "PublicProfile_links_check" CHECK (cardinality("links") <= 3);
