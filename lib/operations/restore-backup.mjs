import { createReadStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename } from 'node:fs/promises'
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

/** @import { Manifest } from './backup-format.mjs' */

/**
 * Puts the rows and files of a backup back in their place, and keeps what was there before.
 * @param {{ folder: string, dataDir: string, databaseUrl: string, isEmbedded: boolean }} options `isEmbedded`: the rows go
 *   into a new database, which takes the name of the old one at the end; otherwise the database has to be empty
 * @returns {Promise<{ rows: number, kept: string[] }>} `kept`: where to find what was there before
 * @throws {Refusal} when the backup is incomplete, damaged or newer than the application, or the database not empty
 */
export async function restoreBackup({ folder, dataDir, databaseUrl, isEmbedded }) {
  const { migrations } = await readManifest(folder)
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const kept = []
  const name = new URL(databaseUrl).pathname.slice(1)
  const target = new URL(databaseUrl)
  if (isEmbedded) {
    target.pathname = `/${name}_restore_${stamp}`
    await withClient(databaseUrl, (client) => client.query(`CREATE DATABASE "${name}_restore_${stamp}"`))
  } else {
    await refuseUnlessEmpty(databaseUrl)
  }
  let rows
  try {
    // First the schema as it was when the rows were written. Newer migrations then change these rows as they changed those
    // of any other database.
    await migrate(target.href, { only: migrations })
    rows = await loadRows(target.href, rowsFile(folder))
    await migrate(target.href)
  } catch (error) {
    if (isEmbedded)
      await withClient(databaseUrl, (client) => client.query(`DROP DATABASE "${name}_restore_${stamp}" (FORCE)`))
    throw error
  }
  if (isEmbedded) {
    await swapDatabases(databaseUrl, name, stamp)
    kept.push(`the database ${name}_before_${stamp}`)
  }
  kept.push(...(await putFilesBack(filesFolder(folder), dataDir, stamp)))
  return { rows, kept }
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
  if (hash !== manifest.sha256) throw new Refusal('This backup is damaged: its rows are not those that were written.')
  try {
    return { migrations: migrationsOfBackup(manifest.migrations, await readdir('prisma/migrations')) }
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

/** @param {string} databaseUrl */
async function refuseUnlessEmpty(databaseUrl) {
  const found = await withClient(databaseUrl, (client) => client.query(`SELECT to_regclass('public."User"') AS name`))
  if (found.rows[0].name) throw new Refusal('This database is not empty: give DATABASE_URL a new one.')
}

/**
 * Loads all rows or none.
 * @param {string} databaseUrl
 * @param {string} file
 * @returns {Promise<number>} how many rows it loaded
 */
function loadRows(databaseUrl, file) {
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN')
    const tables = await tablesInOrder(client)
    // The rows already hold what triggers made of them, and the audit log's trigger would refuse its rows.
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    // The migrations inserted some rows themselves.
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
    for (const name of tables) await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`)
    await client.query('COMMIT')
    await client.query('ANALYZE')
    return count
  })
}

/**
 * Sets every sequence to follow on from the highest number that its column holds.
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
 * Gives the restored database the name of the old one, which keeps its rows under another name.
 * @param {string} databaseUrl
 * @param {string} name
 * @param {string} stamp
 */
async function swapDatabases(databaseUrl, name, stamp) {
  const elsewhere = new URL(databaseUrl)
  elsewhere.pathname = '/postgres'
  await withClient(elsewhere.href, async (client) => {
    await client.query(`ALTER DATABASE "${name}" RENAME TO "${name}_before_${stamp}"`)
    await client.query(`ALTER DATABASE "${name}_restore_${stamp}" RENAME TO "${name}"`)
  })
}

/**
 * @param {string} from
 * @param {string} dataDir
 * @param {string} stamp
 * @returns {Promise<string[]>} the folder that keeps replaced files, when there were any
 */
async function putFilesBack(from, dataDir, stamp) {
  /** @type {string[]} */
  const kept = []
  for (const name of existsSync(from) ? await readdir(from) : []) {
    const place = path.join(dataDir, name)
    if (existsSync(place)) {
      const aside = path.join(dataDir, 'backups', `before-${stamp}`)
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await rename(place, path.join(aside, name))
      if (!kept.includes(aside)) kept.push(aside)
    }
    await cp(path.join(from, name), place, { recursive: true })
  }
  return kept
}
