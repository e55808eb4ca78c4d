// Runs before the integration and contract tests. It starts a Postgres, or uses the one at TEST_DATABASE_URL, and
// creates one migrated database there. Every test file gets a copy of this database. With LASTCALL_POOLER=pgbouncer or
// LASTCALL_POOLER=stand-in, the application's statements go through a connection pooler in transaction mode.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../../prisma/migrate.mjs'
import { startEmbeddedPostgres } from '../../scripts/postgres/start-embedded-postgres.mjs'
import { startPooler } from './start-pooler.mjs'

/**
 * The set-up passes a TestRun to the test files and the tear-down in the variable LASTCALL_TEST.
 * @typedef {{ serverUrl: string, poolerUrl: string | null, prefix: string, template: string, folder: string }} TestRun
 * @typedef {{ lastcallTestPostgres?: { stop: () => Promise<void> }, lastcallTestPooler?: { stop: () => Promise<void> }
 *   }} Shared on the global object
 */

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/**
 * Uses the Postgres at TEST_DATABASE_URL if this variable is set, and otherwise an embedded one that is removed later.
 */
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
  // Postgres copies a database only while nothing is connected to it. The connections of the migration engine close
  // late, so they are ended here.
  await client.query(`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`)
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [template])
  await client.end()

  const kind = process.env.LASTCALL_POOLER
  const pooler = kind === 'pgbouncer' || kind === 'stand-in' ? await startPooler(postgres.databaseUrl, kind) : undefined

  /** @type {TestRun} */
  const run = { serverUrl: postgres.databaseUrl, poolerUrl: pooler?.databaseUrl ?? null, prefix, template, folder }
  // Jest starts its workers later, and they inherit this variable.
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
