import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'

/** @typedef {{ databaseUrl: string | null, directDatabaseUrl: string | null, dataDir: string }} Place */

/**
 * Returns the URL of the database for a command that may run while the server runs. The URL comes from the environment,
 * or else from the file that the last start wrote to DATA_DIR.
 * @param {Place} environment
 * @throws {Refusal} when there is no database yet, or when the environment's database cannot be used
 */
export async function databaseAddress(environment) {
  const { awaitDatabase, settleSslMode } = await import('../lib/operations/check-database.mjs')
  const { databaseUrl, directDatabaseUrl, dataDir } = environment
  const file = path.join(dataDir, 'database-url')
  if (databaseUrl) {
    const url = await settleSslMode(directDatabaseUrl ?? databaseUrl)
    await awaitDatabase(databaseVariable(environment), url, { waitMs: 0 })
    return url
  }
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new Refusal('There is no database yet: start with `npm start`, or set DATABASE_URL.')
}

/**
 * Returns the variable that databaseAddress() reads, for messages.
 * @param {Place} environment
 */
export function databaseVariable({ directDatabaseUrl }) {
  return directDatabaseUrl ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL'
}
