import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { driverAddress } from '../kernel/database-address.mjs'
import { BACKUP_FORMAT, BATCH_ROWS, filesFolder, manifestFile, rowsFile, tablesInOrder } from './backup-format.mjs'
import { hashFile } from './hash-file.mjs'
import { Refusal } from './refusal.mjs'

/** @import { Manifest } from './backup-format.mjs' */

/** Entries of the data folder that are not copied: the database itself, the backups, and what every start makes anew. */
const NOT_COPIED = new Set(['postgres', 'tmp', 'backups', 'database-url'])

/**
 * Writes every row as of one moment and every file into a new folder, while the application runs.
 * @param {{ folder: string, dataDir: string, databaseUrl: string }} options
 * @returns {Promise<number>} how many rows were written
 * @throws {Refusal} when the folder exists
 */
export async function writeBackup({ folder, dataDir, databaseUrl }) {
  if (existsSync(folder)) throw new Refusal(`${folder} is there already: name another folder.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl), application_name: 'lastcall-backup' })
  await client.connect()
  try {
    // One snapshot for all tables, without locking anybody out.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    /** @type {{ rows: { migration_name: string }[] }} */
    const done = await client.query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')
    const migrations = done.rows.map((row) => row.migration_name).sort()
    const tables = await writeTables(client, rowsFile(folder))
    await client.query('COMMIT')
    // Files are copied after the rows: every file that a row names is then there, and files that came later do no harm.
    await copyFiles(dataDir, filesFolder(folder))
    const createdAt = new Date().toISOString()
    const sha256 = await hashFile(rowsFile(folder))
    /** @type {Manifest} */
    const manifest = { format: BACKUP_FORMAT, createdAt, migrations, tables, sha256 }
    await writeFile(manifestFile(folder), JSON.stringify(manifest, null, 2), { mode: 0o600 })
    return Object.values(tables).reduce((sum, count) => sum + count, 0)
  } finally {
    await client.end()
  }
}

/**
 * @param {pg.Client} client
 * @param {string} file
 * @returns {Promise<Record<string, number>>} how many rows each table had
 */
async function writeTables(client, file) {
  /** @type {Record<string, number>} */
  const tables = {}
  const zip = createGzip()
  const out = createWriteStream(file, { mode: 0o600 })
  zip.pipe(out)
  const write = async (/** @type {string} */ line) => {
    if (!zip.write(`${line}\n`)) await once(zip, 'drain')
  }
  for (const table of await tablesInOrder(client)) {
    await write(JSON.stringify({ table }))
    tables[table] = await writeRows(client, table, write)
  }
  zip.end()
  await once(out, 'close')
  return tables
}

/**
 * @param {pg.Client} client
 * @param {string} table
 * @param {(line: string) => Promise<void>} write
 */
async function writeRows(client, table, write) {
  await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS line FROM "${table}" t`)
  let count = 0
  for (;;) {
    /** @type {{ rows: { line: string }[] }} */
    const { rows } = await client.query(`FETCH ${BATCH_ROWS} FROM rows`)
    for (const { line } of rows) await write(line)
    count += rows.length
    if (rows.length < BATCH_ROWS) break
  }
  await client.query('CLOSE rows')
  return count
}

/**
 * @param {string} from the data folder
 * @param {string} to
 */
async function copyFiles(from, to) {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of existsSync(from) ? await readdir(from) : []) {
    if (!NOT_COPIED.has(name)) await cp(path.join(from, name), path.join(to, name), { recursive: true })
  }
}
