import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'

/**
 * The database that a command beside the server works on: that of the environment, else the one that the last start noted.
 * @param {{ databaseUrl: string | null, directDatabaseUrl: string | null, dataDir: string }} environment
 * @throws {Refusal} when there is none yet
 */
export async function databaseAddress({ databaseUrl, directDatabaseUrl, dataDir }) {
  const { settleSslMode } = await import('../lib/operations/check-database.mjs')
  const file = path.join(dataDir, 'database-url')
  if (databaseUrl) return settleSslMode(directDatabaseUrl ?? databaseUrl)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new Refusal('There is no database yet: start with `npm start`, or set DATABASE_URL.')
}
