import { messageOf } from '../lib/kernel/caught-error.mjs'
import { placeOf } from '../lib/kernel/database-address.mjs'
import { explainDatabaseError, isOfDatabase } from '../lib/operations/explain-database-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { DATABASE_WAIT_MS } from '../lib/kernel/retry-until-there.mjs'

/** @typedef {{ databaseUrl: string, directDatabaseUrl: string | null, readDatabaseUrl: string | null }} Databases */

/**
 * Waits for the databases of the environment.
 * @param {Databases} given
 * @returns {Promise<Databases & { sessionName: string, sessionUrl: string }>} the URLs as the application uses them.
 *   `sessionUrl` is the URL that does not lead to a pooler in transaction mode, and `sessionName` is the variable that
 *   holds this URL.
 * @throws {Refusal} when DATABASE_URL or DIRECT_DATABASE_URL cannot be used. For a replica that does not respond, a
 *   warning is printed.
 */
export async function awaitDatabases(given) {
  const { awaitDatabase, refuseTransactionPooler, settleSslMode } = await import('../lib/operations/check-database.mjs')
  const settle = async (/** @type {string | null} */ url) => (url === null ? null : settleSslMode(url))
  const databases = {
    databaseUrl: await settleSslMode(given.databaseUrl),
    directDatabaseUrl: await settle(given.directDatabaseUrl),
    readDatabaseUrl: await settle(given.readDatabaseUrl),
  }
  const { databaseUrl, directDatabaseUrl, readDatabaseUrl } = databases
  const sessionName = directDatabaseUrl ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL'
  const sessionUrl = directDatabaseUrl ?? databaseUrl
  const wait = (/** @type {string} */ name, /** @type {string} */ url) =>
    awaitDatabase(name, url, {
      waitMs: DATABASE_WAIT_MS,
      onWaiting: (cause) => console.log(`… Waiting for the database at ${placeOf(url)} (${name}): ${cause}`),
    })
  await wait('DATABASE_URL', databaseUrl)
  if (directDatabaseUrl) await wait('DIRECT_DATABASE_URL', directDatabaseUrl)
  await refuseTransactionPooler(sessionName, sessionUrl)
  if (readDatabaseUrl) {
    await awaitDatabase('READ_DATABASE_URL', readDatabaseUrl, { waitMs: 0 }).catch((error) => {
      console.warn(`! ${messageOf(error)} Until it answers, lists are read from DATABASE_URL.`)
    })
  }
  return { ...databases, sessionName, sessionUrl }
}

/**
 * Returns a Refusal that says why a database cannot be migrated or its migrations cannot be listed, and what to do.
 * @param {string} name the variable that holds the URL
 * @param {string} databaseUrl
 * @param {unknown} error
 */
export function refusalOfMigrations(name, databaseUrl, error) {
  // Any other message, such as the refusal of a migration, explains itself.
  if (isOfDatabase(error)) return new Refusal(explainDatabaseError(name, databaseUrl, error))
  return new Refusal(`The database at ${placeOf(databaseUrl)} cannot be used: ${messageOf(error)}`)
}
