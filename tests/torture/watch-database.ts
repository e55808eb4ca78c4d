import type pg from 'pg'

/**
 * One state of a drop in the database. `at` is the time at which a statement wrote the state. The state became visible
 * between this time and the `at` of the next state, because the next writer waits until the previous one has committed.
 */
export type DropState = {
  dropId: number
  at: number
  quantity: number
  sold: number
  held: number
  run: number
  isHidden: boolean
  isActive: boolean
  endTime: number
  startedAt: number
  earlyUnits: number | null
  priceCents: number
}

/**
 * One change of a hold, in the sequence in which the changes became visible, because each change locks the drop's row.
 */
export type HoldChange = {
  holdId: string
  at: number
  dropId: number
  state: 'held' | 'sold' | 'released'
  reason: string | null
  codeId: number | null
  earlyLinkId: number | null
}

export type PlatformState = { at: number; isActive: boolean }

/**
 * Adds triggers that record every state of every drop and of the kill switch. The checker compares responses with the
 * states that the database had during the call.
 */
export async function watchDatabase(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE SCHEMA torture;
    CREATE TABLE torture."DropState" ("n" bigserial PRIMARY KEY, "at" timestamptz NOT NULL, "dropId" int, "quantity" int,
      "sold" int, "held" int, "run" int, "isHidden" boolean, "isActive" boolean, "endTime" timestamptz,
      "startedAt" timestamptz, "earlyUnits" int, "priceCents" int);
    CREATE TABLE torture."HoldChange" ("n" bigserial PRIMARY KEY, "at" timestamptz NOT NULL, "holdId" text, "dropId" int,
      "state" text, "reason" text, "codeId" int, "earlyLinkId" int);
    CREATE TABLE torture."PlatformState" ("n" bigserial PRIMARY KEY, "at" timestamptz NOT NULL, "isActive" boolean);
    CREATE FUNCTION torture.note_drop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO torture."DropState" ("at", "dropId", "quantity", "sold", "held", "run", "isHidden", "isActive", "endTime",
                                       "startedAt", "earlyUnits", "priceCents")
      VALUES (clock_timestamp(), NEW."id", NEW."quantity", NEW."sold", NEW."held", NEW."run", NEW."hiddenAt" IS NOT NULL,
              NEW."isActive" AND NEW."archivedAt" IS NULL, NEW."endTime",
              NEW."startedAt", NEW."earlyUnits", NEW."priceCents");
      RETURN NULL; END $$;
    CREATE FUNCTION torture.note_hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO torture."HoldChange" ("at", "holdId", "dropId", "state", "reason", "codeId", "earlyLinkId")
      VALUES (clock_timestamp(), NEW."id", NEW."dropId", NEW."state"::text, NEW."reason", NEW."codeId", NEW."earlyLinkId");
      RETURN NULL; END $$;
    CREATE TRIGGER torture_note AFTER INSERT OR UPDATE OF "state", "reason", "codeId", "earlyLinkId" ON "Hold"
      FOR EACH ROW EXECUTE FUNCTION torture.note_hold();
    CREATE FUNCTION torture.note_platform() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO torture."PlatformState" ("at", "isActive") VALUES (clock_timestamp(), NEW."isActive");
      RETURN NULL; END $$;
    CREATE TRIGGER torture_note AFTER INSERT OR UPDATE OF "quantity", "sold", "held", "run", "hiddenAt", "isActive",
      "archivedAt", "endTime", "startedAt", "earlyUnits", "priceCents" ON "Drop" FOR EACH ROW EXECUTE FUNCTION torture.note_drop();
    CREATE TRIGGER torture_note AFTER INSERT OR UPDATE ON "PlatformSettings" FOR EACH ROW
      EXECUTE FUNCTION torture.note_platform();`)
}

/** Returns all recorded states of all drops, in the order in which they were written. */
export async function readDropStates(pool: pg.Pool): Promise<DropState[]> {
  const { rows } = await pool.query<DropState>(
    `SELECT "dropId", (extract(epoch FROM "at") * 1000)::float8 AS "at", "quantity", "sold", "held", "run", "isHidden",
            "isActive", (extract(epoch FROM "endTime") * 1000)::float8 AS "endTime", (extract(epoch FROM "startedAt") * 1000)::float8 AS "startedAt",
            "earlyUnits", "priceCents"
       FROM torture."DropState" ORDER BY "n"`,
  )
  return rows
}

/** Returns all recorded changes of holds, in the order in which they became visible. */
export async function readHoldChanges(pool: pg.Pool): Promise<HoldChange[]> {
  const { rows } = await pool.query<HoldChange>(
    `SELECT "holdId", (extract(epoch FROM "at") * 1000)::float8 AS "at", "dropId", "state", "reason", "codeId", "earlyLinkId"
       FROM torture."HoldChange" ORDER BY "n"`,
  )
  return rows
}

/** Returns all recorded states of the kill switch, in the order in which they were written. */
export async function readPlatformStates(pool: pg.Pool): Promise<PlatformState[]> {
  const { rows } = await pool.query<PlatformState>(
    `SELECT (extract(epoch FROM "at") * 1000)::float8 AS "at", "isActive" FROM torture."PlatformState" ORDER BY "n"`,
  )
  return rows
}
