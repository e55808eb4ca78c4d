// Reads from `_prisma_migrations` whether this version of Lastcall can work with a database, and whether the database
// was made by the migrations that START replaced. Once no such database or backup is left, EARLIEST, EARLIEST_START,
// carry-over.mjs and the folder prisma/earlier can be removed.

/**
 * The first migration, which creates the whole schema as it was when the earlier migrations were merged into one
 * script. The migrations that it replaced are in prisma/earlier.
 */
export const START = '20261128150000_start'

/** The first migration of prisma/earlier. It replaced the migrations of EARLIEST. */
export const EARLIEST_START = '20261122080000_start'

/** The schema that a database has while a restore into it has not finished (lib/operations/unfinished-restore.mjs). */
export const restoreSchema = 'lastcall_unfinished_restore'

/**
 * The migrations that EARLIEST_START replaced. A database that has all of them needs only prisma/earlier/carry-over.sql
 * to match EARLIEST_START.
 */
export const EARLIEST = [
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
 * @typedef {{ applied: Set<string>, isEarlier: boolean }} History `isEarlier` says that the database was made by
 *   the migrations that START replaced, so that carryOver() has to run first
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
 * @param {{ known: string[], earlier: string[] }} names the migrations in prisma/migrations and those in prisma/earlier
 * @returns {History}
 * @throws {MigrationRefusal} if the database is newer than this version, if a migration failed on it, or if it has only
 *   some of the migrations in EARLIEST
 */
export function judgeHistory(rows, { known, earlier }) {
  const applied = new Set(rows.filter((row) => row.isFinished).map((row) => row.name))
  const unknown = rows.find(({ name }) => ![...known, ...earlier, ...EARLIEST].includes(name))
  if (unknown) {
    throw new MigrationRefusal(
      `The database is newer than this version of Lastcall, which does not know its migration ${unknown.name}: start the version that made it, or restore a backup from before that upgrade.`,
    )
  }
  const isEarlier = rows.some(({ name }) => earlier.includes(name) || EARLIEST.includes(name))
  const isEarliest = EARLIEST.some((name) => rows.some((row) => row.name === name))
  if (isEarliest) refuseHalfWay('The database', applied)
  // "prisma migrate deploy" tries the next start on an earlier database and fails. carryOver() removes such rows.
  const replaced = isEarliest ? [...EARLIEST, EARLIEST_START, START] : isEarlier ? [START] : []
  const failed = rows.find((row) => !row.isFinished && !replaced.includes(row.name))
  if (failed) {
    throw new MigrationRefusal(
      `The migration ${failed.name} did not finish on this database, and the column "logs" of _prisma_migrations says why. A migration that fails changes nothing: fix the cause, delete that row and start again.`,
    )
  }
  return { applied, isEarlier }
}

/**
 * Returns the migrations that create the tables for the rows of a backup.
 * @param {string[]} names the migrations of the database when the backup was written
 * @param {{ known: string[], earlier: string[] }} list the migrations in prisma/migrations and those in prisma/earlier
 * @throws {MigrationRefusal} if this version cannot create them
 */
export function migrationsOfBackup(names, { known, earlier }) {
  const unknown = names.filter((name) => ![...known, ...earlier, ...EARLIEST].includes(name))
  if (unknown.length > 0) {
    throw new MigrationRefusal(`This backup is newer than the application: it knows ${unknown.join(', ')}.`)
  }
  if (!EARLIEST.some((name) => names.includes(name))) return names
  refuseHalfWay('This backup', new Set(names))
  // The rows of the backup have the columns of EARLIEST_START, and one more that is ignored
  // (prisma/earlier/carry-over.sql).
  return [EARLIEST_START, ...names.filter((name) => !EARLIEST.includes(name))]
}

/**
 * @param {string} subject
 * @param {Set<string>} applied
 */
function refuseHalfWay(subject, applied) {
  const missing = EARLIEST.filter((name) => !applied.has(name))
  if (missing.length === 0) return
  throw new MigrationRefusal(
    `${subject} stopped half-way through the migrations before ${EARLIEST_START}: ${missing.length} of ${EARLIEST.length} are missing, beginning with ${missing[0]}. Finish them with a version of Lastcall that still has them, then use this one.`,
  )
}
