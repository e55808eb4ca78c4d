// Applies prisma/migrations without the schema engine that Prisma's command line downloads (ADR 0005). Writes the
// history as Prisma does, so `npx prisma migrate status` and `deploy` find nothing to do afterwards.
//   node prisma/migrate.mjs          apply what is pending to DATABASE_URL of the shell or of .env
//   node prisma/migrate.mjs --diff   print the SQL that turns that database into what prisma/schema says
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { problemsOfAddress } from '../lib/infra/read-databases.mjs'
import { driverAddress } from '../lib/kernel/database-address.mjs'
import { awaitDatabase, refuseTransactionPooler, settleSslMode } from '../lib/operations/check-database.mjs'
import { explainDatabaseError, isOfDatabase } from '../lib/operations/explain-database-error.mjs'
import { loadEnvFiles } from '../lib/operations/load-env-files.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { carryOver } from './carry-over.mjs'
import { judgeHistory, MigrationRefusal, readHistory, refuseUnfinishedRestore, START } from './migration-history.mjs'
import { diffWithSchema, NO_FILTERS, readMigrations, withSchemaEngine } from './schema-engine.mjs'

/** @import { MigrationList } from './schema-engine.mjs' */

/** The key of the advisory lock. Any number works that no other advisory lock in the database uses. */
const MIGRATION_LOCK = 20261120

/** @param {string} databaseUrl */
function newClient(databaseUrl) {
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl) })
  // Without a listener, a connection that is lost between two statements would end the process.
  client.on('error', () => {})
  return client
}

/**
 * Applies pending migrations. Several processes may call it at the same time. One of them works, and the others wait
 * and then find nothing to do.
 * @param {string} databaseUrl
 * @param {{ only?: string[], isRestore?: boolean, onWaiting?: (cause: string) => void }} [options] `only` names the
 *   only migrations to apply; a restore uses it to create the tables of a backup. `isRestore` says that the restore
 *   itself is the caller. Otherwise a database with an unfinished restore is refused. `onWaiting` is called with the
 *   cause if another process is migrating this database or uses a table that a migration changes.
 * @returns {Promise<string[]>} the names of the migrations that were added to the history
 * @throws {MigrationRefusal} if the database is newer than this version, its earlier migrations did not all finish, or
 *   a restore into it did not finish
 */
export async function migrate(databaseUrl, { only, isRestore = false, onWaiting } = {}) {
  const client = newClient(databaseUrl)
  await client.connect()
  try {
    await lock(client, onWaiting)
    if (!isRestore) await refuseUnfinishedRestore(client)
    const list = await readMigrations()
    const earlier = await readMigrations('earlier')
    const { applied, isEarlier } = judgeHistory(await readHistory(client), {
      known: namesOf(list),
      earlier: namesOf(earlier),
    })
    const apply = (/** @type {MigrationList} */ migrationsList) =>
      withSchemaEngine(
        driverAddress(databaseUrl),
        (engine) => engine.applyMigrations({ migrationsList, filters: NO_FILTERS }),
        () => onWaiting?.('another session that uses a table of this database, such as a backup'),
      )
    if (only?.some((name) => namesOf(earlier).includes(name))) {
      return (await apply(pick(earlier, only))).appliedMigrationNames
    }
    /** @type {string[]} */
    const gained = []
    if (isEarlier) {
      await carryOver(client, { applied, list, earlier, apply })
      applied.add(START)
      gained.push(START)
    }
    const wanted = only ? pick(list, only) : list
    if (namesOf(wanted).every((name) => applied.has(name))) return gained
    return [...gained, ...(await apply(wanted)).appliedMigrationNames]
  } finally {
    await client.end()
  }
}

/**
 * Lists the migrations that `migrate` would apply, and changes nothing.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>} the names of the migrations that the database lacks
 * @throws {MigrationRefusal} if the database is newer than this version, its earlier migrations did not all finish, or
 *   a restore into it did not finish
 */
export async function listPending(databaseUrl) {
  const client = newClient(databaseUrl)
  await client.connect()
  try {
    await refuseUnfinishedRestore(client)
    const known = namesOf(await readMigrations())
    const earlier = namesOf(await readMigrations('earlier'))
    const { applied } = judgeHistory(await readHistory(client), { known, earlier })
    return known.filter((name) => !applied.has(name))
  } finally {
    await client.end()
  }
}

/**
 * Waits for the migration lock and takes it. The lock ends with the database session.
 * @param {pg.Client} client
 * @param {((cause: string) => void) | undefined} onWaiting
 */
async function lock(client, onWaiting) {
  /** @type {{ rows: { isMine: boolean }[] }} */
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS "isMine"', [MIGRATION_LOCK])
  if (rows[0]?.isMine) return
  onWaiting?.('another process that is migrating this database')
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
}

/** @param {MigrationList} list */
const namesOf = (list) => list.migrationDirectories.map((migration) => migration.path)

/**
 * @param {MigrationList} list
 * @param {string[]} names
 * @returns {MigrationList} the list with only these migrations
 */
const pick = (list, names) => ({
  ...list,
  migrationDirectories: list.migrationDirectories.filter((migration) => names.includes(migration.path)),
})

async function main() {
  // The .env files are read only when the shell names no database. Otherwise a DIRECT_DATABASE_URL in a file could lead
  // to a different database than the one that was named.
  if (!process.env.DATABASE_URL && !process.env.DIRECT_DATABASE_URL) {
    loadEnvFiles(process.env, path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'production')
  }
  const { DATABASE_URL, DIRECT_DATABASE_URL } = process.env
  const name = DIRECT_DATABASE_URL ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL'
  const given = DIRECT_DATABASE_URL || DATABASE_URL
  if (!given) throw new MigrationRefusal('DATABASE_URL is not set: name the database to migrate.')
  const problems = problemsOfAddress(name, given)
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  const databaseUrl = await settleSslMode(given)
  await awaitDatabase(name, databaseUrl, { waitMs: 0 })
  if (process.argv.includes('--diff')) {
    const script = await diffWithSchema(driverAddress(databaseUrl))
    process.stdout.write(script || '-- The database is what prisma/schema says.\n')
    return
  }
  await refuseTransactionPooler(name, databaseUrl)
  const onWaiting = (/** @type {string} */ cause) => console.error(`… Waiting for ${cause}`)
  try {
    console.log((await migrate(databaseUrl, { onWaiting })).join('\n') || 'Nothing to migrate.')
  } catch (error) {
    throw isOfDatabase(error) ? new Refusal(explainDatabaseError(name, databaseUrl, error)) : error
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof MigrationRefusal || error instanceof Refusal ? error.message : error)
    process.exitCode = 1
  }
}
