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

/** How long Postgres may be cleaning up in a database, which only a superuser may interrupt. */
const CLEANING_MS = 20_000

async function drop(client: Client, name: string): Promise<void> {
  for (const until = Date.now() + CLEANING_MS; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    try {
      await client.query(`DROP DATABASE IF EXISTS "${name}" (FORCE)`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '42501' || Date.now() > until) throw error
    }
  }
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
