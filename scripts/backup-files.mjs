// What a backup is: manifest.json, database.ndjson.gz (a line per table, then one per row), files/ (the data folder without
// the database).
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { migrate } from '../prisma/migrate.mjs'
import { MigrationRefusal, migrationsOfBackup } from '../prisma/migration-history.mjs'
import { Refusal } from './output.mjs'

const FORMAT = 1
const BATCH = 1_000
/** Of the data folder: made anew by every start, or the database itself. */
const NOT_COPIED = new Set(['postgres', 'tmp', 'backups', 'database-url'])
const NOT_A_TABLE_OF_OURS = '_prisma_migrations'

/** @returns {Promise<number>} how many rows were written */
export async function writeBackup({ folder, dataDir, databaseUrl }) {
  if (existsSync(folder)) throw new Refusal(`${folder} is there already: name another folder.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'lastcall-backup' })
  await client.connect()
  try {
    // One moment for all tables, without holding anybody up.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const done = await client.query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')
    const migrations = done.rows.map((row) => row.migration_name).sort()
    const tables = {}
    const file = path.join(folder, 'database.ndjson.gz')
    const zip = createGzip()
    const out = createWriteStream(file, { mode: 0o600 })
    zip.pipe(out)
    const write = async (line) => zip.write(`${line}\n`) || (await once(zip, 'drain'))
    for (const table of await tablesInOrder(client)) {
      await write(JSON.stringify({ table }))
      tables[table] = await writeRows(client, table, write)
    }
    await client.query('COMMIT')
    zip.end()
    await once(out, 'close')
    // After the rows: what they name is there, and what came later does no harm.
    await copyFiles(dataDir, path.join(folder, 'files'))
    const manifest = {
      format: FORMAT,
      createdAt: new Date().toISOString(),
      migrations,
      tables,
      sha256: await hashOf(file),
    }
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2), { mode: 0o600 })
    return Object.values(tables).reduce((sum, count) => sum + count, 0)
  } finally {
    await client.end()
  }
}

async function writeRows(client, table, write) {
  await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS line FROM "${table}" t`)
  let count = 0
  for (;;) {
    const { rows } = await client.query(`FETCH ${BATCH} FROM rows`)
    for (const { line } of rows) await write(line)
    count += rows.length
    if (rows.length < BATCH) break
  }
  await client.query('CLOSE rows')
  return count
}

/** A table after those it refers to. */
async function tablesInOrder(client) {
  const tables = await client.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> $1 ORDER BY 1`,
    [NOT_A_TABLE_OF_OURS],
  )
  const links = await client.query(
    `SELECT a.relname AS "from", b.relname AS "to" FROM pg_constraint c JOIN pg_class a ON a.oid = c.conrelid
       JOIN pg_class b ON b.oid = c.confrelid WHERE c.contype = 'f' AND a.oid <> b.oid`,
  )
  const waiting = new Set(tables.rows.map((row) => row.relname))
  const ordered = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter((name) => !links.rows.some((link) => link.from === name && waiting.has(link.to)))
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...waiting].join(', ')}`)
    for (const name of ready) waiting.delete(name)
    ordered.push(...ready)
  }
  return ordered
}

async function copyFiles(from, to) {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of existsSync(from) ? await readdir(from) : []) {
    if (!NOT_COPIED.has(name)) await cp(path.join(from, name), path.join(to, name), { recursive: true })
  }
}

async function hashOf(file) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * @param {{ folder: string, dataDir: string, databaseUrl: string, isEmbedded: boolean }} options `isEmbedded`: the rows go
 *   into a new database that takes the old one's name at the end; otherwise the database has to be empty
 * @returns {Promise<{ rows: number, kept: string[] }>} `kept`: where what was there before is
 */
export async function readBackup({ folder, dataDir, databaseUrl, isEmbedded }) {
  const { migrations } = await readManifest(folder)
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const kept = []
  const name = new URL(databaseUrl).pathname.slice(1)
  const target = new URL(databaseUrl)
  if (isEmbedded) {
    target.pathname = `/${name}_restore_${stamp}`
    await asOwner(databaseUrl, (client) => client.query(`CREATE DATABASE "${name}_restore_${stamp}"`))
  } else {
    await refuseUnlessEmpty(databaseUrl)
  }
  let rows
  try {
    // The schema as it was when the rows were written; what is newer is applied to them like to any other database.
    await migrate(target.href, { only: migrations })
    rows = await loadRows(target.href, path.join(folder, 'database.ndjson.gz'))
    await migrate(target.href)
  } catch (error) {
    if (isEmbedded)
      await asOwner(databaseUrl, (client) => client.query(`DROP DATABASE "${name}_restore_${stamp}" (FORCE)`))
    throw error
  }
  if (isEmbedded) {
    await swap(databaseUrl, name, stamp)
    kept.push(`the database ${name}_before_${stamp}`)
  }
  kept.push(...(await putFilesBack(path.join(folder, 'files'), dataDir, stamp)))
  return { rows, kept }
}

async function readManifest(folder) {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (!text) throw new Refusal(`${folder} is not a whole backup: it has no manifest.json.`)
  const manifest = JSON.parse(text)
  if (manifest.format !== FORMAT) throw new Refusal('This backup was written by another version of the application.')
  const hash = await hashOf(path.join(folder, 'database.ndjson.gz')).catch(() => null)
  if (hash !== manifest.sha256) throw new Refusal('This backup is damaged: its rows are not those that were written.')
  try {
    return { migrations: migrationsOfBackup(manifest.migrations, await readdir('prisma/migrations')) }
  } catch (error) {
    throw error instanceof MigrationRefusal ? new Refusal(error.message) : error
  }
}

async function asOwner(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function refuseUnlessEmpty(databaseUrl) {
  const found = await asOwner(databaseUrl, (client) => client.query(`SELECT to_regclass('public."User"') AS name`))
  if (found.rows[0].name) throw new Refusal('This database is not empty: give DATABASE_URL a new one.')
}

/** All rows or none. */
function loadRows(databaseUrl, file) {
  return asOwner(databaseUrl, async (client) => {
    await client.query('BEGIN')
    const tables = await tablesInOrder(client)
    // What triggers would make of the rows is in them already; and the audit log takes them as they are.
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    // The migrations wrote rows of their own.
    await client.query(`TRUNCATE ${tables.map((name) => `"${name}"`).join(', ')}`)
    let table = null
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
        table = JSON.parse(line).table
        if (!tables.includes(table)) throw new Error(`there is no table ${table}`)
      } else {
        lines.push(line)
        if (lines.length === BATCH) await flush()
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

async function continueSequences(client) {
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

/** The restored database takes the name, the one before keeps its rows under another. */
async function swap(databaseUrl, name, stamp) {
  const elsewhere = new URL(databaseUrl)
  elsewhere.pathname = '/postgres'
  await asOwner(elsewhere.href, async (client) => {
    await client.query(`ALTER DATABASE "${name}" RENAME TO "${name}_before_${stamp}"`)
    await client.query(`ALTER DATABASE "${name}_restore_${stamp}" RENAME TO "${name}"`)
  })
}

async function putFilesBack(from, dataDir, stamp) {
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
