import { createWriteStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { codeOf } from '../kernel/caught-error.mjs'
import { driverAddress } from '../kernel/database-address.mjs'
import { BACKUP_FORMAT, BATCH_ROWS, filesFolder, manifestFile, rowsFile, tablesInOrder } from './backup-format.mjs'
import { explainDatabaseError } from './explain-database-error.mjs'
import { hashFile } from './hash-file.mjs'
import { Refusal } from './refusal.mjs'

/** @import { Manifest } from './backup-format.mjs' */

/**
 * Entries of the data folder that are not copied: the database, the backups, unfinished uploads, and the database URL,
 * which every start writes again.
 */
const NOT_COPIED = ['postgres', 'tmp', 'backups', 'database-url']

/**
 * Writes a consistent snapshot of the application's rows, and the files of the data folder, into a new folder. The
 * application may run meanwhile. The folder is removed when this fails.
 * @param {{ folder: string, dataDir: string, databaseUrl: string }} options
 * @returns {Promise<number>} the number of rows that were written
 * @throws {Refusal} when the folder exists, its disk is full, or the database is not migrated
 */
export async function writeBackup({ folder, dataDir, databaseUrl }) {
  if (existsSync(folder)) throw new Refusal(`${folder} already exists: name another folder.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await fill(folder, dataDir, databaseUrl)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) throw error
    throw new Refusal(
      `The disk of ${folder} is full: free some space, or name a folder on another disk. What was written is removed.`,
    )
  }
}

/**
 * @param {string} folder
 * @param {string} dataDir
 * @param {string} databaseUrl
 */
async function fill(folder, dataDir, databaseUrl) {
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl), application_name: 'lastcall-backup' })
  await client.connect()
  try {
    // All tables are read in one snapshot, which blocks no writes.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    /** @type {{ rows: { migration_name: string }[] }} */
    const done = await client
      .query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')
      .catch((/** @type {unknown} */ error) => {
        throw new Refusal(explainDatabaseError('DATABASE_URL', databaseUrl, error))
      })
    const migrations = done.rows.map((row) => row.migration_name).sort()
    /** @type {Record<string, number>} */
    const tables = {}
    const file = createWriteStream(rowsFile(folder), { mode: 0o600 })
    await pipeline(linesOf(client, tables), createGzip(), file)
    await client.query('COMMIT')
    // Files are copied after the rows, so that files of rows in the snapshot already exist. A file that is deleted in
    // the meantime is missing from the backup.
    await copyFiles(dataDir, filesFolder(folder), NOT_COPIED)
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
 * Yields the lines of the file with the rows, many at a time.
 * @param {pg.Client} client
 * @param {Record<string, number>} tables receives the number of rows of each table
 */
async function* linesOf(client, tables) {
  for (const table of await tablesInOrder(client)) {
    yield `${JSON.stringify({ table })}\n`
    await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS line FROM "${table}" t`)
    let count = 0
    for (;;) {
      /** @type {{ rows: { line: string }[] }} */
      const { rows } = await client.query(`FETCH ${BATCH_ROWS} FROM rows`)
      yield rows.map(({ line }) => `${line}\n`).join('')
      count += rows.length
      if (rows.length < BATCH_ROWS) break
    }
    await client.query('CLOSE rows')
    tables[table] = count
  }
}

/**
 * Copies a folder, and the files and folders on other disks to which its symbolic links lead. An upload may be moved
 * and a file may be deleted meanwhile. `fs.cp` would fail because of it, and would copy the links themselves. The
 * copy itself is left out if it is inside the folder, because it would otherwise be copied into itself without end.
 * @param {string} from
 * @param {string} to
 * @param {string[]} [except] the names of entries that are left out
 * @param {string} [copy] the folder of the whole copy
 */
async function copyFiles(from, to, except = [], copy = to) {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const self = await realpath(copy)
  for (const name of (await readdir(from).catch(ignoreMissing)) ?? []) {
    if (except.includes(name)) continue
    const [source, target] = [path.join(from, name), path.join(to, name)]
    const found = await stat(source).catch(ignoreMissing)
    if (found?.isFile()) await copyFile(source, target).catch(ignoreMissing)
    else if (found?.isDirectory() && (await realpath(source)) !== self) await copyFiles(source, target, [], copy)
  }
}

/** @param {unknown} error */
function ignoreMissing(error) {
  if (codeOf(error) !== 'ENOENT') throw error
}
