// Runs Prisma's schema engine as WebAssembly from npm. Prisma's command line downloads the same engine from a host of
// its own, which many machines cannot reach (ADR 0005).
import { readFile, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { codeOf } from '../lib/kernel/caught-error.mjs'

/** @typedef {import('@prisma/schema-engine-wasm/schema_engine_bg').SchemaEngine} SchemaEngine */
/** @typedef {import('@prisma/schema-engine-wasm/schema_engine_bg').MigrationList} MigrationList */
/** @typedef {import('@prisma/driver-adapter-utils').SqlQuery} SqlQuery */

const folder = path.dirname(fileURLToPath(import.meta.url))

export const NO_FILTERS = { externalTables: [], externalEnums: [] }

/** The object ids of two Postgres types: the internal type "char", which holds one letter, and the type text. */
const CHAR = 18
const TEXT = 25

/** How long a script waits for a table that another session uses before it lets that session's queue go first. */
const LOCK_TIMEOUT = '2s'
/** The pause before the next attempt, in which the requests that waited behind the script get their turn. */
const LOCK_PAUSE_MS = 3_000
/** Postgres' code for a lock that was not granted within lock_timeout. */
/** Codes of Postgres: a lock was not free in time, and a deadlock. */
const LOCK_ERRORS = ['55P03', '40P01']

/** @returns {Promise<{ path: string, content: string }[]>} the files of prisma/schema */
async function readSchemaFiles() {
  const names = (await readdir(path.join(folder, 'schema'))).filter((name) => name.endsWith('.prisma')).sort()
  const read = async (/** @type {string} */ name) => readFile(path.join(folder, 'schema', name), 'utf8')
  return Promise.all(names.map(async (name) => ({ path: name, content: await read(name) })))
}

/**
 * @param {'migrations' | 'earlier'} [name] the folder in prisma
 * @returns {Promise<MigrationList>} the migrations in that folder, oldest first
 */
export async function readMigrations(name = 'migrations') {
  const baseDir = path.join(folder, name)
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const read = async (/** @type {string[]} */ ...words) => readFile(path.join(baseDir, ...words), 'utf8')
  const lockfile = await readFile(path.join(folder, 'migrations', 'migration_lock.toml'), 'utf8')
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: /** @type {const} */ ('ok'), value: await read(name, 'migration.sql') },
        },
      })),
    ),
  }
}

/**
 * Runs `work` with an engine that is connected to the database.
 * @template Result
 * @param {string} databaseUrl
 * @param {(engine: SchemaEngine) => Promise<Result>} work
 * @param {() => void} [onLocked] called whenever a script has waited two seconds for a lock of another session
 * @returns {Promise<Result>}
 */
export async function withSchemaEngine(databaseUrl, work, onLocked) {
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils')
  const bindings = await loadBindings()
  const { factory, close } = await createAdapterFactory(databaseUrl, onLocked)
  try {
    const datamodels = /** @type {[string, string][]} */ (
      (await readSchemaFiles()).map((file) => [file.path, file.content])
    )
    const adapter = bindMigrationAwareSqlAdapterFactory(factory)
    return await work(await bindings.SchemaEngine.new({ datamodels }, () => {}, adapter))
  } finally {
    await close()
  }
}

/**
 * Compares a database with prisma/schema. Prisma does not see triggers and CHECK constraints, so they are not compared.
 * @param {string} databaseUrl
 * @returns {Promise<string>} the SQL that would change the database into the schema; empty when they agree
 */
export async function diffWithSchema(databaseUrl) {
  const files = await readSchemaFiles()
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: folder },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    })
    return exitCode === 0 ? '' : (stdout ?? '')
  })
}

/** @type {ReturnType<typeof instantiate> | undefined} */
let loaded

/**
 * The bindings keep views of the memory of the instance that they were given first, so a second one would read that
 * memory.
 */
const loadBindings = () => (loaded ??= instantiate())

async function instantiate() {
  const name = '@prisma/schema-engine-wasm/schema_engine_bg'
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasm = path.join(path.dirname(createRequire(import.meta.url).resolve(name)), 'schema_engine_bg.wasm')
  const instance = new WebAssembly.Instance(new WebAssembly.Module(await readFile(wasm)), {
    './schema_engine_bg.js': bindings,
  })
  bindings.__wbg_set_wasm(instance.exports)
  const start = /** @type {() => void} */ (instance.exports.__wbindgen_start)
  start()
  return bindings
}

/**
 * Creates Prisma's Postgres adapter with two corrections that the engine needs.
 * @param {string} databaseUrl
 * @param {() => void} [onLocked]
 */
async function createAdapterFactory(databaseUrl, onLocked) {
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const { ColumnTypeEnum, DriverAdapterError } = await import('@prisma/driver-adapter-utils')
  /** @type {Awaited<ReturnType<InstanceType<typeof PrismaPg>['connect']>>[]} */
  const adapters = []

  class MigrationPg extends PrismaPg {
    /** @override */
    async connect() {
      const adapter = await super.connect()
      adapters.push(adapter)

      // The adapter cuts a script at every semicolon, even inside a function body. Here the whole script is sent at
      // once, and Postgres runs it as one transaction, so that a failed migration leaves nothing behind.
      adapter.executeScript = async (script) => {
        for (;;) {
          try {
            await adapter.underlyingDriver().query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}';\n${script}`)
            return
          } catch (error) {
            // Nothing of the script has taken effect, so it can run again. Without the timeout it would wait in
            // silence, and every request that needs the table would wait behind it.
            if (!LOCK_ERRORS.includes(codeOf(error) ?? '')) throw new DriverAdapterError(toPostgresError(error))
            onLocked?.()
            await sleep(LOCK_PAUSE_MS)
          }
        }
      }

      // Some columns of Postgres' catalogs have the type "char", which the adapter refuses. The adapter therefore reads
      // such a column as text, and its type is set to a single character afterwards.
      const queryRaw = adapter.queryRaw
      adapter.queryRaw = async (query) => {
        /** @type {number[]} */
        const letters = []
        const reader = Object.assign(Object.create(adapter), {
          performIO: async (/** @type {SqlQuery} */ asked) => {
            const result = await adapter['performIO'](asked)
            for (const [index, field] of result.fields.entries()) {
              if (field.dataTypeID !== CHAR) continue
              field.dataTypeID = TEXT
              letters.push(index)
            }
            return result
          },
        })
        const result = await queryRaw.call(reader, query)
        for (const index of letters) result.columnTypes[index] = ColumnTypeEnum.Character
        return result
      }
      return adapter
    }
  }

  const factory = new MigrationPg(databaseUrl)
  return { factory, close: () => Promise.all(adapters.map((adapter) => adapter.dispose())) }
}

/**
 * @param {unknown} error
 * @returns {import('@prisma/driver-adapter-utils').Error}
 */
function toPostgresError(error) {
  const { code, severity, message, detail, column, hint } = /** @type {import('pg').DatabaseError} */ (error)
  return { kind: 'postgres', code: code ?? 'unknown', severity: severity ?? 'ERROR', message, detail, column, hint }
}
