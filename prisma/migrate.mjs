// Applies prisma/migrations without Prisma's downloaded schema engine (ADR 0005): the same engine as WebAssembly,
// the same `_prisma_migrations` table, so `prisma migrate deploy` works on the same database elsewhere.
//   node prisma/migrate.mjs          apply what is pending to DATABASE_URL
//   node prisma/migrate.mjs --diff   print the SQL that leads from the committed prisma/schema to the one on disk (the engine wants a live DATABASE_URL)
import { execFileSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'

/**
 * @import { MigrationDirectory } from '@prisma/schema-engine-wasm/schema_engine_bg'
 * @import { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
 */

const root = path.dirname(fileURLToPath(import.meta.url))
const MIGRATION_LOCK = 20261120

/** @returns {Promise<[name: string, content: string][]>} */
async function readSchemas() {
  const folder = path.join(root, 'schema')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort()
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]))
}

/** @returns {Promise<MigrationDirectory[]>} */
async function readMigrations() {
  const folder = path.join(root, 'migrations')
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  return Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: await readFile(path.join(folder, name, 'migration.sql'), 'utf8') },
      },
    })),
  )
}

/**
 * The engine, and what closes its connections.
 * @param {string} databaseUrl
 */
async function createEngine(databaseUrl) {
  const [{ PrismaPg }, { bindMigrationAwareSqlAdapterFactory }, bindings] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('@prisma/driver-adapter-utils'),
    import('@prisma/schema-engine-wasm/schema_engine_bg'),
  ])
  const packageFolder = path.dirname(
    createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'),
  )
  const compiled = new WebAssembly.Module(await readFile(path.join(packageFolder, 'schema_engine_bg.wasm')))
  const instance = new WebAssembly.Instance(compiled, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  const { __wbindgen_start: begin } = instance.exports
  if (typeof begin === 'function') begin()
  // The adapter cuts scripts at every semicolon, also inside a function body: hand Postgres the whole script instead.
  /** @type {{ dispose: () => Promise<void> }[]} */
  const adapters = []
  class WholeScriptPg extends PrismaPg {
    /** @override */
    async connect() {
      const adapter = await super.connect()
      adapter.executeScript = async (script) => void (await adapter.underlyingDriver().query(script))
      adapters.push(adapter)
      return adapter
    }
  }
  const factory = bindMigrationAwareSqlAdapterFactory(new WholeScriptPg(databaseUrl))
  const engine = await bindings.SchemaEngine.new({ datamodels: await readSchemas() }, () => {}, factory)
  return { engine, close: () => Promise.all(adapters.map((adapter) => adapter.dispose())) }
}

const noFilters = { externalTables: [], externalEnums: [] }

/**
 * @param {pg.Client} client
 * @param {MigrationDirectory[]} migrations
 */
async function pendingNames(client, migrations) {
  const table = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`)
  if (!table.rows[0].name) return migrations.map((migration) => migration.path)
  const done = await client.query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')
  const applied = new Set(done.rows.map((row) => row.migration_name))
  return migrations.map((migration) => migration.path).filter((name) => !applied.has(name))
}

/**
 * Applies pending migrations; several processes may call it at once.
 * @param {string} databaseUrl
 * @param {{ only?: string[] }} [options] `only`: no others than these, to make a database as it was then (a restore)
 * @returns {Promise<string[]>} the names it applied
 */
export async function migrate(databaseUrl, { only } = {}) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const migrations = (await readMigrations()).filter(({ path: name }) => only?.includes(name) ?? true)
    const pending = await pendingNames(client, migrations)
    if (pending.length === 0) return []
    const { engine, close } = await createEngine(databaseUrl)
    const result = await engine.applyMigrations({
      migrationsList: {
        baseDir: path.join(root, 'migrations'),
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: migrations,
      },
      filters: noFilters,
    })
    await close()
    return result.appliedMigrationNames
  } finally {
    await client.end()
  }
}

/** The schema as last committed: what the existing migrations lead to. */
function readCommittedSchemas() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const names = git('ls-tree', '--name-only', 'HEAD', 'schema/').split('\n').filter(Boolean)
    return names.map((name) => ({ path: path.basename(name), content: git('show', `HEAD:./${name}`) }))
  } catch {
    return []
  }
}

/** @param {string} databaseUrl */
async function printDiff(databaseUrl) {
  const { engine, close } = await createEngine(databaseUrl)
  const committed = readCommittedSchemas()
  const { stdout } = await engine.diff({
    from: committed.length === 0 ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: committed },
    to: { tag: 'schemaDatamodel', files: (await readSchemas()).map(([name, content]) => ({ path: name, content })) },
    script: true,
    exitCode: null,
    filters: noFilters,
  })
  process.stdout.write(stdout ?? '')
  await close()
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) {
    console.error('DATABASE_URL is not set: name the database to migrate.')
    process.exitCode = 1
  } else if (process.argv.includes('--diff')) {
    await printDiff(databaseUrl)
  } else {
    console.log((await migrate(databaseUrl)).join('\n') || 'Nothing to migrate.')
  }
}
