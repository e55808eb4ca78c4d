// Runs before the integration tests: it starts a Postgres and makes one migrated database in it, of which every test file
// gets a copy. With LASTCALL_POOLER=pgbouncer or LASTCALL_POOLER=stand-in the application's statements go through a
// connection pooler in transaction mode.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../../prisma/migrate.mjs'
import { startEmbeddedPostgres } from '../../scripts/postgres/start-embedded-postgres.mjs'
import { startPooler } from './start-pooler.mjs'

/**
 * What the set-up leaves for the test files, in the variable LASTCALL_TEST, and for the tear-down.
 * @typedef {{ serverUrl: string, poolerUrl: string | null, prefix: string, template: string, folder: string }} TestRun
 * @typedef {{ lastcallTestPostgres?: { stop: () => Promise<void> }, lastcallTestPooler?: { stop: () => Promise<void> } }} Shared on the global object
 */

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Uses TEST_DATABASE_URL when it is set, otherwise an embedded Postgres that is thrown away afterwards. */
export default async function setUp() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-test-'))
  const given = process.env.TEST_DATABASE_URL
  if (given && !LOCAL.includes(new URL(given).hostname)) {
    throw new Error('TEST_DATABASE_URL is not on this machine: tests create and drop databases, so they refuse it.')
  }
  const postgres = given
    ? { databaseUrl: given, stop: async () => {} }
    : await startEmbeddedPostgres({ folder: path.join(folder, 'postgres'), isTemporary: true })

  const prefix = `lastcall_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  const client = new pg.Client(postgres.databaseUrl)
  await client.connect()
  await client.query(`CREATE DATABASE ${template}`)
  await migrate(withDatabase(postgres.databaseUrl, template))
  // Postgres copies a database only while nobody is connected to it, and the migration engine's pool closes late.
  await client.query(`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`)
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [template])
  await client.end()

  const kind = process.env.LASTCALL_POOLER
  const pooler = kind === 'pgbouncer' || kind === 'stand-in' ? await startPooler(postgres.databaseUrl, kind) : undefined

  /** @type {TestRun} */
  const run = { serverUrl: postgres.databaseUrl, poolerUrl: pooler?.databaseUrl ?? null, prefix, template, folder }
  // Jest's workers are started after this and inherit it.
  process.env.LASTCALL_TEST = JSON.stringify(run)
  const shared = /** @type {Shared} */ (globalThis)
  shared.lastcallTestPostgres = postgres
  shared.lastcallTestPooler = pooler
}

/**
 * @param {string} databaseUrl
 * @param {string} name
 */
function withDatabase(databaseUrl, name) {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}
