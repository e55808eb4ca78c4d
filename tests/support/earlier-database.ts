import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { inDatabase } from './scratch-databases'

type Migration = { name: string; script: string }

/** The migrations that the first one of prisma/earlier replaced, in their original order. */
export const earliestMigrations: readonly Migration[] = readFileSync('tests/support/earliest-migrations.sql', 'utf8')
  .split(/^-- migration: /m)
  .slice(1)
  .map((section) => {
    const end = section.indexOf('\n')
    return { name: section.slice(0, end), script: section.slice(end + 1) }
  })

/** The migrations of prisma/earlier, which the start migration replaced, in their original order. */
export const earlierMigrations: readonly Migration[] = readdirSync('prisma/earlier', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, script: readFileSync(`prisma/earlier/${name}/migration.sql`, 'utf8') }))
  .sort((one, other) => (one.name < other.name ? -1 : 1))

const HISTORY_TABLE = `
  CREATE TABLE "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`

/**
 * Brings an empty database into a state from before the start migration: runs migrations and writes them into Prisma's
 * history.
 * @param migrations what it runs; a database of `earliestMigrations` can also have any of
 *   `earlierMigrations` but the first
 */
export function buildEarlierDatabase(url: string, migrations: readonly Migration[]): Promise<void> {
  return inDatabase(url, async (client) => {
    await client.query(HISTORY_TABLE)
    for (const { name, script } of migrations) {
      await client.query(script)
      await client.query(
        `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
         VALUES ($1, $2, $3, now(), 1)`,
        [randomUUID(), createHash('sha256').update(script).digest('hex'), name],
      )
    }
  })
}

/**
 * Adds a seller with an ended drop. On a database of `earliestMigrations`, it also fills the column `DropRun.closedAt`,
 * which prisma/earlier/carry-over.sql removes.
 */
export function fillEarlierDatabase(url: string, { isEarliest = true } = {}): Promise<void> {
  return inDatabase(url, async (client) => {
    await client.query(`
      INSERT INTO "User" ("id", "username", "firstName", "lastName", "email", "passwordHash", "updatedAt")
      VALUES (7, 'mira', 'Mira', 'Okafor', 'mira@example.com', 'x', now());
      INSERT INTO "Drop" ("id", "uniqueId", "userId", "title", "description", "productType", "priceCents", "quantity", "sold",
                          "duration", "startedAt", "endTime", "archivedAt", "isActive", "views", "updatedAt")
      VALUES (3, 'dabcdefghi', 7, 'Mug', 'A mug.', 'physical', 1500, 5, 2, 24, now() - interval '30 hours',
              now() - interval '6 hours', now() - interval '6 hours', false, 90, now());
      INSERT INTO "DropRun" ("dropId", "run", "quantity", "sold", "startedAt", "endTime"${isEarliest ? ', "closedAt"' : ''})
      SELECT "id", 1, "quantity", "sold", "startedAt", "endTime"${isEarliest ? ', "archivedAt"' : ''} FROM "Drop"`)
  })
}
