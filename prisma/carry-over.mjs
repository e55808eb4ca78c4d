// Carries a database of earlier migrations over to START. Such a database first gets the rest of the migrations in
// prisma/earlier. Its schema is then that of START, and only its history is replaced.
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { EARLIEST, EARLIEST_START, START } from './migration-history.mjs'

/** @import { MigrationList } from './schema-engine.mjs' */

/**
 * Brings a database of earlier migrations to START. Each step is one transaction, so a start that was interrupted
 * continues where it stopped.
 * @param {import('pg').Client} client
 * @param {object} options
 * @param {Set<string>} options.applied the migrations that the database has
 * @param {MigrationList} options.list the migrations in prisma/migrations
 * @param {MigrationList} options.earlier the migrations in prisma/earlier
 * @param {(list: MigrationList) => Promise<unknown>} options.apply applies those migrations of a
 *   list that the database lacks
 */
export async function carryOver(client, { applied, list, earlier, apply }) {
  if (EARLIEST.some((name) => applied.has(name))) {
    const script = await readFile(new URL('earlier/carry-over.sql', import.meta.url), 'utf8')
    await replaceHistory(client, [...EARLIEST, START], { name: EARLIEST_START, from: earlier, script })
  } else {
    // An unfinished row of START would stop the migrations before it.
    await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [START])
  }
  await apply(earlier)
  const replaced = earlier.migrationDirectories.map((migration) => migration.path)
  await replaceHistory(client, replaced, { name: START, from: list, script: '' })
}

/**
 * Runs a script and replaces rows of the history by the row of one migration, in one transaction. Rows of other
 * migrations stay, because these may have run already.
 * @param {import('pg').Client} client
 * @param {string[]} names the migrations that leave the history
 * @param {{ name: string, from: MigrationList, script: string }} by the migration that takes their place, and the list
 *   that has its script
 */
async function replaceHistory(client, names, { name, from, script }) {
  await client.query('BEGIN')
  try {
    await client.query(script)
    await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY($1)', [[...names, name]])
    // Prisma writes the same row for an applied migration, so its command line finds no edited and no pending
    // migration.
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), now(), 1)`,
      [randomUUID(), createHash('sha256').update(scriptOf(from, name)).digest('hex'), name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/**
 * @param {MigrationList} list
 * @param {string} name
 */
function scriptOf(list, name) {
  const content = list.migrationDirectories.find((migration) => migration.path === name)?.migrationFile.content
  if (content?.tag !== 'ok') throw new Error(`${list.baseDir}/${name} is missing`)
  return content.value
}
