import { createReadStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { driverAddress } from '../kernel/database-address.mjs'
import { migrate } from '../../prisma/migrate.mjs'
import { MigrationRefusal, migrationsOfBackup } from '../../prisma/migration-history.mjs'
import { BACKUP_FORMAT, BATCH_ROWS, filesFolder, manifestFile, rowsFile, tablesInOrder } from './backup-format.mjs'
import { hashFile } from './hash-file.mjs'
import { Refusal } from './refusal.mjs'
import { swapFiles } from './swap-files.mjs'
import { forgetRestore, noteRestore, undoUnfinishedRestore } from './unfinished-restore.mjs'

/** @import { Manifest } from './backup-format.mjs' */

/**
 * Restores the rows and files of a backup. The previous files and the previous embedded database are kept. A restore
 * that fails changes nothing. After a restore that was killed, the next restore starts from scratch.
 * @param {{ folder: string, dataDir: string, databaseUrl: string, isEmbedded: boolean }} options With `isEmbedded`, the
 *   rows go into a new database, which takes the name of the old one at the end. Otherwise the database must be empty.
 * @returns {Promise<{ rows: number, kept: string[] }>} `kept` says where the previous database and files are
 * @throws {Refusal} when the backup is incomplete, damaged or newer than the application, or the database is not empty
 */
export async function restoreBackup({ folder, dataDir, databaseUrl, isEmbedded }) {
  const { migrations } = await readManifest(folder)
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const target = await (isEmbedded ? newDatabase(databaseUrl, stamp) : emptyDatabase(databaseUrl))
  const copied = path.join(dataDir, 'backups', `restore-${stamp}`)
  try {
    // First the schema is created as it was when the rows were written. The newer migrations then change the loaded
    // rows in the same way as the rows of any other database.
    await migrate(target.url, { only: migrations, isRestore: true })
    const rows = await loadRows(target.url, rowsFile(folder))
    await migrate(target.url, { isRestore: true })
    // The files are copied before anything that is in use changes, because the disk may be too small for them.
    await mkdir(copied, { recursive: true, mode: 0o700 })
    if (existsSync(filesFolder(folder))) await cp(filesFolder(folder), copied, { recursive: true })
    // The files go first, because moving them is undone more safely than a change of the database in use.
    const aside = path.join(dataDir, 'backups', `before-${stamp}`)
    const files = await swapFiles({ from: copied, to: dataDir, aside })
    try {
      const kept = await target.finish()
      return { rows, kept: files.hasReplaced ? [...kept, aside] : kept }
    } catch (error) {
      await files.undo()
      throw error
    }
  } catch (error) {
    // When a database that is not embedded can no longer be reached, the note of the unfinished restore stays in it,
    // and the next restore undoes this one.
    await target.undo().catch(() => {})
    throw error
  } finally {
    await rm(copied, { recursive: true, force: true })
  }
}

/**
 * The database into which a restore writes.
 * @typedef {{ url: string, finish: () => Promise<string[]>, undo: () => Promise<unknown> }} Target `finish` puts the
 *   restored database in use, and returns what was kept of the previous one. `undo` removes what the restore has
 *   written, and does nothing after `finish`.
 */

/**
 * Creates a database beside the embedded one.
 * @param {string} databaseUrl
 * @param {string} stamp
 * @returns {Promise<Target>}
 */
async function newDatabase(databaseUrl, stamp) {
  const name = new URL(databaseUrl).pathname.slice(1)
  const target = new URL(databaseUrl)
  target.pathname = `/${name}_restore_${stamp}`
  await withClient(databaseUrl, (client) => client.query(`CREATE DATABASE "${name}_restore_${stamp}"`))
  return {
    url: target.href,
    finish: async () => {
      await swapDatabases(databaseUrl, name, stamp)
      return [`the database ${name}_before_${stamp}`]
    },
    undo: () =>
      withClient(databaseUrl, (client) =>
        client.query(`DROP DATABASE IF EXISTS "${name}_restore_${stamp}" WITH (FORCE)`),
      ),
  }
}

/**
 * Prepares an empty database, or one in which an earlier restore was interrupted.
 * @param {string} url
 * @returns {Promise<Target>}
 * @throws {Refusal} when the database is not empty
 */
async function emptyDatabase(url) {
  await withClient(url, async (client) => {
    await undoUnfinishedRestore(client)
    const found = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public' LIMIT 1`)
    if (found.rowCount) throw new Refusal('This database is not empty: give DATABASE_URL a new one.')
    await noteRestore(client)
  })
  return {
    url,
    finish: async () => {
      await withClient(url, forgetRestore)
      return []
    },
    undo: () => withClient(url, undoUnfinishedRestore),
  }
}

/**
 * @param {string} folder
 * @returns {Promise<{ migrations: string[] }>}
 */
async function readManifest(folder) {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => null)
  if (!text) throw new Refusal(`${folder} is not a whole backup: it has no manifest.json.`)
  /** @type {Manifest} */
  const manifest = JSON.parse(text)
  if (manifest.format !== BACKUP_FORMAT)
    throw new Refusal('This backup was written by another version of the application.')
  const hash = await hashFile(rowsFile(folder)).catch(() => null)
  if (hash !== manifest.sha256) throw new Refusal('This backup is damaged: the checksum of its rows does not match.')
  try {
    const list = { known: await readdir('prisma/migrations'), earlier: await readdir('prisma/earlier') }
    return { migrations: migrationsOfBackup(manifest.migrations, list) }
  } catch (error) {
    throw error instanceof MigrationRefusal ? new Refusal(error.message) : error
  }
}

/**
 * @template T
 * @param {string} databaseUrl
 * @param {(client: pg.Client) => Promise<T>} work
 */
async function withClient(databaseUrl, work) {
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Loads the rows of a backup in one transaction.
 * @param {string} databaseUrl
 * @param {string} file
 * @returns {Promise<number>} how many rows it loaded
 */
function loadRows(databaseUrl, file) {
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN')
    const tables = await tablesInOrder(client)
    // The rows already contain the changes that triggers made, and the trigger of the audit log would block the
    // truncation.
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    // The migrations themselves inserted some rows, which are also in the backup.
    await client.query(`TRUNCATE ${tables.map((name) => `"${name}"`).join(', ')}`)
    /** @type {string | null} */
    let table = null
    /** @type {string[]} */
    let lines = []
    let count = 0
    const flush = async () => {
      if (lines.length === 0) return
      const text = `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1::json)`
      await client.query(text, [`[${lines.join(',')}]`])
      count += lines.length
      lines = []
    }
    for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
      if (line.startsWith('{"table":"')) {
        await flush()
        /** @type {{ table: string }} */
        const named = JSON.parse(line)
        table = named.table
        if (!tables.includes(table)) throw new Error(`there is no table ${table}`)
      } else {
        lines.push(line)
        if (lines.length === BATCH_ROWS) await flush()
      }
    }
    await flush()
    await continueSequences(client)
    await assertRulesKept(client)
    for (const name of tables) await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`)
    await client.query('COMMIT')
    await client.query('ANALYZE')
    return count
  })
}

/**
 * Throws when a loaded row breaks a rule that a trigger keeps, because the triggers were off while the rows were
 * loaded (ADR 0076).
 * @param {pg.Client} client
 */
async function assertRulesKept(client) {
  /** @type {{ rows: { table: string }[] }} */
  const { rows } = await client.query(
    `SELECT c.relname AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE t.tgfoid = to_regproc('refuse_broken_rule')`,
  )
  for (const { table } of rows) {
    /** @type {{ rows: { rule: string }[] }} */
    const { rows: broken } = await client.query(
      `SELECT b."rule" FROM "${table}" t, LATERAL broken_rule(t) AS b("rule") WHERE b."rule" IS NOT NULL LIMIT 1`,
    )
    const [first] = broken
    if (first) throw new Error(`a row of ${table} breaks the rule ${first.rule}`)
  }
}

/**
 * Sets every sequence to continue after the highest number in its column.
 * @param {pg.Client} client
 */
async function continueSequences(client) {
  /** @type {{ rows: { table: string, column: string, sequence: string }[] }} */
  const { rows } = await client.query(
    `SELECT c.relname AS "table", a.attname AS "column", pg_get_serial_sequence(format('%I', c.relname), a.attname) AS "sequence"
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND pg_get_serial_sequence(format('%I', c.relname), a.attname) IS NOT NULL`,
  )
  for (const { table, column, sequence } of rows) {
    await client.query(`SELECT setval($1, (SELECT COALESCE(max("${column}"), 0) + 1 FROM "${table}"), false)`, [
      sequence,
    ])
  }
}

/**
 * Gives the restored database the name of the old database. The old database is kept under another name. Both names
 * change in one transaction, because without a database of its name the application could not start.
 * @param {string} databaseUrl
 * @param {string} name
 * @param {string} stamp
 */
async function swapDatabases(databaseUrl, name, stamp) {
  const elsewhere = new URL(databaseUrl)
  elsewhere.pathname = '/postgres'
  await withClient(elsewhere.href, async (client) => {
    await client.query('BEGIN')
    await client.query(`ALTER DATABASE "${name}" RENAME TO "${name}_before_${stamp}"`)
    await client.query(`ALTER DATABASE "${name}_restore_${stamp}" RENAME TO "${name}"`)
    await client.query('COMMIT')
  })
}
