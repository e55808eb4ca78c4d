// Before the integration tests: a Postgres, and in it one migrated database that every file's is a copy of.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../../prisma/migrate.mjs'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs'

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Uses TEST_DATABASE_URL when given, a throw-away embedded Postgres otherwise. */
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
  // Nobody may be connected to a database while it is copied, and the migration engine's pool lingers.
  await client.query(`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`)
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [template])
  await client.end()

  // Workers are started after this and inherit it.
  process.env.LASTCALL_TEST = JSON.stringify({ serverUrl: postgres.databaseUrl, prefix, template, folder })
  globalThis.lastcallTestPostgres = postgres
}

function withDatabase(databaseUrl, name) {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}
