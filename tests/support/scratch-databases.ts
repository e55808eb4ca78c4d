import { Client } from 'pg'

/** Runs `work` on a connection to the database. */
export async function inDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Ends what is still connected and drops the database. FORCE would also try to end Postgres' autovacuum, which only a
 * superuser may do; a plain drop ends it by itself.
 */
async function drop(client: Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
    [name],
  )
  await client.query(`DROP DATABASE IF EXISTS "${name}"`)
}

/**
 * Creates databases in addition to the one of this test file, and drops them after its last test.
 * @returns a function that creates an empty database and returns its address.
 */
export function scratchDatabases(): (name: string) => Promise<string> {
  // Databases are not created through a pooler.
  const own = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
  const made: string[] = []
  afterAll(() =>
    inDatabase(own, async (client) => {
      for (const name of made) await drop(client, name)
    }),
  )
  return async (name) => {
    const url = new URL(own)
    url.pathname = `${url.pathname}_${name}`
    made.push(url.pathname.slice(1))
    await inDatabase(own, (client) => client.query(`CREATE DATABASE "${url.pathname.slice(1)}"`))
    return url.href
  }
}
