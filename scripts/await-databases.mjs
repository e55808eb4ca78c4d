import { codeOf, messageOf } from '../lib/kernel/caught-error.mjs'
import { placeOf } from '../lib/kernel/database-address.mjs'
import { explainDatabaseError } from '../lib/operations/explain-database-error.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'

/** A database that starts beside this process, in a container for example, has this long. */
const DATABASE_WAIT_MS = 30_000

/** @typedef {{ databaseUrl: string, directDatabaseUrl: string | null, readDatabaseUrl: string | null }} Databases */

/**
 * Waits for the databases of the environment, and refuses one that cannot be used.
 * @param {Databases} given
 * @returns {Promise<Databases & { sessionName: string, sessionUrl: string }>} the addresses as the application uses them.
 *   At `sessionUrl`, which the variable `sessionName` has, a database session lasts; a pooler may end it after each transaction.
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
 * Why a database cannot be migrated or its migrations cannot be listed, and what to do.
 * @param {string} name the variable that has the address
 * @param {string} databaseUrl
 * @param {unknown} error
 */
export function refusalOfMigrations(name, databaseUrl, error) {
  // A migration's own refusal says everything; errors of the database have a code.
  if (codeOf(error)) return new Refusal(explainDatabaseError(name, databaseUrl, error))
  return new Refusal(`The database at ${placeOf(databaseUrl)} cannot be used: ${messageOf(error)}`)
}
