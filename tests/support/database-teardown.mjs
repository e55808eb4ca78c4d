import { rmSync } from 'node:fs'
import pg from 'pg'

/** @import { Shared, TestRun } from './database-setup.mjs' */

/**
 * Runs after the integration and contract tests, and removes their databases, their embedded Postgres and their files.
 */
export default async function tearDown() {
  /** @type {TestRun} */
  const { serverUrl, prefix, folder } = JSON.parse(process.env.LASTCALL_TEST ?? '{}')
  if (process.env.TEST_DATABASE_URL) {
    const client = new pg.Client(serverUrl)
    await client.connect()
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix])
    for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`)
    await client.end()
  }
  const shared = /** @type {Shared} */ (globalThis)
  await shared.lastcallTestPooler?.stop()
  await shared.lastcallTestPostgres?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
