// A restore into a database that is not embedded cannot replace that database. It writes in several transactions: the
// migrations, the rows, and the newer migrations. A note in the database makes this all or nothing. As long as the note
// exists, the restore has not finished. The application does not start with such a database, and
// undoUnfinishedRestore() removes what the restore created.
import { restoreSchema } from '../../prisma/migration-history.mjs'

/** @import { Client } from 'pg' */

/** The tables, views, sequences, routines and enums of the schema public that belong to no extension. */
const OBJECTS = `
  SELECT 'pg_class'::regclass::oid AS "catalog", c.oid AS "object", 1 AS "turn",
         CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END
           AS "kind", c.oid::regclass::text AS "name"
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
  UNION ALL
  SELECT 'pg_proc'::regclass, p.oid, 2, 'ROUTINE', p.oid::regprocedure::text
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'pg_type'::regclass, t.oid, 3, 'TYPE', t.oid::regtype::text
    FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'e'`

/**
 * Writes the note, which lists the objects that the database had before the restore.
 * @param {Client} client
 */
export async function noteRestore(client) {
  await client.query(`
    BEGIN;
    CREATE SCHEMA ${restoreSchema};
    CREATE TABLE ${restoreSchema}."before" AS SELECT "catalog", "object" FROM (${OBJECTS}) found;
    COMMIT`)
}

/**
 * Removes the note once everything is restored.
 * @param {Client} client
 */
export async function forgetRestore(client) {
  await client.query(`DROP SCHEMA ${restoreSchema} CASCADE`)
}

/**
 * Removes what an unfinished restore has created, and then its note. Does nothing without a note. What the database had
 * before the restore stays.
 * @param {Client} client
 * @returns {Promise<boolean>} whether there was a note
 */
export async function undoUnfinishedRestore(client) {
  const noted = await client.query(`SELECT to_regclass('${restoreSchema}.before') AS name`)
  if (!noted.rows[0].name) return false
  await client.query('BEGIN')
  /** @type {{ rows: { kind: string, name: string }[] }} */
  const created = await client.query(`
    SELECT "kind", "name" FROM (${OBJECTS}) found
     WHERE NOT EXISTS (SELECT FROM ${restoreSchema}."before" b WHERE b."catalog" = found."catalog" AND b."object" = found."object")
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = found."catalog" AND d.objid = found."object" AND d.deptype = 'e')
     ORDER BY "turn"`)
  for (const { kind, name } of created.rows) await client.query(`DROP ${kind} IF EXISTS ${name} CASCADE`)
  await forgetRestore(client)
  await client.query('COMMIT')
  return true
}
