import type pg from 'pg'

/**
 * One state of a drop as the database had it. `at` is when the statement wrote it: it was visible from some moment between
 * its own `at` and the next state's, because the next writer waits for the commit of the one before.
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
}

export type PlatformState = { at: number; isActive: boolean }

/**
 * Lets the database keep every state of every drop and of the kill switch. It is the model that the answers are compared
 * with: what a page said must be one of the states that the database had during the call.
 */
export async function watchDatabase(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE SCHEMA torture;
    CREATE TABLE torture."DropState" ("n" bigserial PRIMARY KEY, "at" timestamptz NOT NULL, "dropId" int, "quantity" int,
      "sold" int, "held" int, "run" int, "isHidden" boolean, "isActive" boolean, "endTime" timestamptz);
    CREATE TABLE torture."PlatformState" ("n" bigserial PRIMARY KEY, "at" timestamptz NOT NULL, "isActive" boolean);
    CREATE FUNCTION torture.note_drop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO torture."DropState" ("at", "dropId", "quantity", "sold", "held", "run", "isHidden", "isActive", "endTime")
      VALUES (clock_timestamp(), NEW."id", NEW."quantity", NEW."sold", NEW."held", NEW."run", NEW."hiddenAt" IS NOT NULL,
              NEW."isActive" AND NEW."archivedAt" IS NULL, NEW."endTime");
      RETURN NULL; END $$;
    CREATE FUNCTION torture.note_platform() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO torture."PlatformState" ("at", "isActive") VALUES (clock_timestamp(), NEW."isActive");
      RETURN NULL; END $$;
    CREATE TRIGGER torture_note AFTER INSERT OR UPDATE OF "quantity", "sold", "held", "run", "hiddenAt", "isActive",
      "archivedAt", "endTime" ON "Drop" FOR EACH ROW EXECUTE FUNCTION torture.note_drop();
    CREATE TRIGGER torture_note AFTER INSERT OR UPDATE ON "PlatformSettings" FOR EACH ROW
      EXECUTE FUNCTION torture.note_platform();`)
}

/** All states of all drops, in the order in which they were written. */
export async function readDropStates(pool: pg.Pool): Promise<DropState[]> {
  const { rows } = await pool.query<DropState>(
    `SELECT "dropId", (extract(epoch FROM "at") * 1000)::float8 AS "at", "quantity", "sold", "held", "run", "isHidden",
            "isActive", (extract(epoch FROM "endTime") * 1000)::float8 AS "endTime"
       FROM torture."DropState" ORDER BY "n"`,
  )
  return rows
}

/** All states of the kill switch, in the order in which they were written. */
export async function readPlatformStates(pool: pg.Pool): Promise<PlatformState[]> {
  const { rows } = await pool.query<PlatformState>(
    `SELECT (extract(epoch FROM "at") * 1000)::float8 AS "at", "isActive" FROM torture."PlatformState" ORDER BY "n"`,
  )
  return rows
}
