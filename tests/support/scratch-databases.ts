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
 * Ends the current user's connections to a database and drops it. The function does not use FORCE, because FORCE also
 * tries to end the autovacuum, which only a superuser may do. A plain DROP ends the autovacuum by itself.
 */
export async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user',
    [name],
  )
  await client.query(`DROP DATABASE IF EXISTS "${name}"`)
}

/**
 * Lets a test file create more databases, and drops them after its last test.
 * @returns a function that creates an empty database and returns its URL.
 */
export function scratchDatabases(): (name: string) => Promise<string> {
  // Databases are created over a direct connection, not through a pooler.
  const own = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
  const made: string[] = []
  afterAll(() =>
    inDatabase(own, async (client) => {
      for (const name of made) await dropDatabase(client, name)
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
