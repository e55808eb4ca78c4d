// The format of a backup, for write-backup.mjs and restore-backup.mjs. A backup is a folder with
//   manifest.json        the description of the backup (see Manifest below)
//   database.ndjson.gz   for every table of the application a line with its name, then a line for each of its rows
//   files/               the data folder without the entries of NOT_COPIED in write-backup.mjs
import path from 'node:path'

/**
 * @import { Client } from 'pg'
 *
 * `migrations` are the names of the applied migrations, `tables` are the numbers of rows by table, and `sha256` is the
 * checksum of database.ndjson.gz. The files have no checksum.
 * @typedef {{
 *   format: number,
 *   createdAt: string,
 *   migrations: string[],
 *   tables: Record<string, number>,
 *   sha256: string,
 * }} Manifest
 */

/** The number of the format. A restore refuses a backup with another number. */
export const BACKUP_FORMAT = 1
/** How many rows are read or written at a time. */
export const BATCH_ROWS = 1_000
/** Prisma's table of applied migrations. It is not backed up, because a restore runs the migrations again. */
const MIGRATIONS_TABLE = '_prisma_migrations'

/**
 * Returns the path of the manifest of a backup.
 * @param {string} folder the folder of the backup
 */
export const manifestFile = (folder) => path.join(folder, 'manifest.json')

/**
 * Returns the path of the file with the rows of a backup.
 * @param {string} folder the folder of the backup
 */
export const rowsFile = (folder) => path.join(folder, 'database.ndjson.gz')

/**
 * Returns the path of the folder with the files of a backup.
 * @param {string} folder the folder of the backup
 */
export const filesFolder = (folder) => path.join(folder, 'files')

/**
 * Returns the names of all tables of the application, each after the other tables that its foreign keys refer to. When
 * tables are filled in this order, the rows that a row of another table refers to already exist.
 * @param {Client} client
 * @throws {Error} when tables refer to each other in a circle
 */
export async function tablesInOrder(client) {
  /** @type {{ rows: { relname: string }[] }} */
  const tables = await client.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> $1 ORDER BY 1`,
    [MIGRATIONS_TABLE],
  )
  /** @type {{ rows: { from: string, to: string }[] }} */
  const references = await client.query(
    `SELECT a.relname AS "from", b.relname AS "to" FROM pg_constraint c JOIN pg_class a ON a.oid = c.conrelid
       JOIN pg_class b ON b.oid = c.confrelid WHERE c.contype = 'f' AND a.oid <> b.oid`,
  )
  const waiting = new Set(tables.rows.map((row) => row.relname))
  /** @type {string[]} */
  const ordered = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      (name) => !references.rows.some(({ from, to }) => from === name && waiting.has(to)),
    )
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...waiting].join(', ')}`)
    for (const name of ready) waiting.delete(name)
    ordered.push(...ready)
  }
  return ordered
}
