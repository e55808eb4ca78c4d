import { rmSync } from 'node:fs'
import pg from 'pg'

/** After the integration tests: their databases, their Postgres and their files go. */
export default async function tearDown() {
  const { serverUrl, prefix, folder } = JSON.parse(process.env.LASTCALL_TEST)
  if (process.env.TEST_DATABASE_URL) {
    const client = new pg.Client(serverUrl)
    await client.connect()
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix])
    for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`)
    await client.end()
  }
  await globalThis.lastcallTestPostgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
