// Reads from `_prisma_migrations` whether this version of Lastcall can work with a database, and whether the database
// was made by the migrations that START replaced. Once no such database or backup is left, EARLIER, carryOver and
// carry-over.sql can be removed.
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * The first migration, which creates the whole schema as it was when the earlier migrations were merged into one
 * script.
 */
export const START = '20261122080000_start'

/** The schema that a database has while a restore into it has not finished (lib/operations/unfinished-restore.mjs). */
export const restoreSchema = 'lastcall_unfinished_restore'

/** The migrations that START replaced. A database that has all of them needs only carry-over.sql to match START. */
const EARLIER = [
  '20261120210000_init',
  '20261120224500_announce_drop_changes',
  '20261121100000_mail_content',
  '20261121111100_runs_and_visits',
  '20261121140000_waitlist',
  '20261121150000_pro_and_payouts',
  '20261121160000_open_refund_requests',
  '20261121170000_switch_and_search',
  '20261121171000_appeals',
  '20261121180000_money_back_done',
  '20261121185000_direct_uploads',
  '20261121185000_seller_orders',
  '20261121190000_platform_tallies',
  '20261121201000_order_life',
  '20261121231500_creation_key',
  '20261122023000_announce_removed_drops',
  '20261122024500_order_reference',
]

/** Thrown when a database or backup cannot be used as it is. The message is one line that says why. */
export class MigrationRefusal extends Error {}

/**
 * @typedef {{ name: string, isFinished: boolean }} AppliedMigration
 * @typedef {{ applied: Set<string>, isEarlier: boolean }} History `isEarlier` says that the database has the migrations of
 *   EARLIER, so that carryOver() has to run first
 */

/**
 * @param {import('pg').Client} client
 * @returns {Promise<AppliedMigration[]>} the migrations that were applied and not rolled back
 */
export async function readHistory(client) {
  const table = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`)
  if (!table.rows[0].name) return []
  const { rows } = await client.query(
    'SELECT migration_name, finished_at IS NOT NULL AS "isFinished" FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1',
  )
  return rows.map((row) => ({ name: row.migration_name, isFinished: row.isFinished }))
}

/**
 * @param {import('pg').Client} client
 * @throws {MigrationRefusal} if a restore into this database has begun and not finished
 */
export async function refuseUnfinishedRestore(client) {
  const { rows } = await client.query('SELECT to_regnamespace($1) AS name', [restoreSchema])
  if (rows[0].name)
    throw new MigrationRefusal('A restore into this database was interrupted: run the same `npm run restore` again.')
}

/**
 * @param {AppliedMigration[]} rows
 * @param {string[]} known the names in prisma/migrations
 * @returns {History}
 * @throws {MigrationRefusal} if the database is newer than this version, if a migration failed on it, or if it has only
 *   some of the migrations in EARLIER
 */
export function judgeHistory(rows, known) {
  const applied = new Set(rows.filter((row) => row.isFinished).map((row) => row.name))
  const unknown = rows.find(({ name }) => !known.includes(name) && !EARLIER.includes(name))
  if (unknown) {
    throw new MigrationRefusal(
      `The database is newer than this version of Lastcall, which does not know its migration ${unknown.name}: start the version that made it, or restore a backup from before that upgrade.`,
    )
  }
  if (EARLIER.some((name) => rows.some((row) => row.name === name))) {
    refuseHalfWay('The database', applied)
    return { applied, isEarlier: true }
  }
  const failed = rows.find((row) => !row.isFinished)
  if (failed) {
    throw new MigrationRefusal(
      `The migration ${failed.name} did not finish on this database, and the column "logs" of _prisma_migrations says why. A migration that fails changes nothing: fix the cause, delete that row and start again.`,
    )
  }
  return { applied, isEarlier: false }
}

/**
 * Returns the migrations that create the tables for the rows of a backup.
 * @param {string[]} names the migrations of the database when the backup was written
 * @param {string[]} known the names in prisma/migrations
 * @throws {MigrationRefusal} if this version cannot create them
 */
export function migrationsOfBackup(names, known) {
  const unknown = names.filter((name) => !known.includes(name) && !EARLIER.includes(name))
  if (unknown.length > 0) {
    throw new MigrationRefusal(`This backup is newer than the application: it knows ${unknown.join(', ')}.`)
  }
  if (!EARLIER.some((name) => names.includes(name))) return names
  refuseHalfWay('This backup', new Set(names))
  // The rows of the backup have START's columns, and one more that is ignored (carry-over.sql).
  return [START, ...names.filter((name) => !EARLIER.includes(name))]
}

/**
 * @param {string} subject
 * @param {Set<string>} applied
 */
function refuseHalfWay(subject, applied) {
  const missing = EARLIER.filter((name) => !applied.has(name))
  if (missing.length === 0) return
  throw new MigrationRefusal(
    `${subject} stopped half-way through the migrations before ${START}: ${missing.length} of ${EARLIER.length} are missing, beginning with ${missing[0]}. Finish them with a version of Lastcall that still has them, then use this one.`,
  )
}

/**
 * Turns a database of the earlier migrations into one of START, in a single transaction.
 * @param {import('pg').Client} client
 * @param {string} startScript the content of START's migration.sql
 */
export async function carryOver(client, startScript) {
  const script = await readFile(new URL('carry-over.sql', import.meta.url), 'utf8')
  await client.query('BEGIN')
  try {
    await client.query(script)
    // Rows of migrations after START stay, because these may have run already. START itself has a row if "prisma
    // migrate deploy" has tried to apply it.
    await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY($1)', [[...EARLIER, START]])
    // Prisma writes the same row for an applied migration, so its command line finds no edited and no pending
    // migration.
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), now(), 1)`,
      [randomUUID(), createHash('sha256').update(startScript).digest('hex'), START],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
