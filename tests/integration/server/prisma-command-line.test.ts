import path from 'node:path'
import { buildEarlierDatabase, earliestMigrations } from '@/tests/support/earlier-database'
import { runMigrate, runNode } from '@/tests/support/run-node'
import { inDatabase, scratchDatabases } from '@/tests/support/scratch-databases'

// These tests run `npx prisma` from the repository root with only DATABASE_URL. Prisma would download its schema
// engine, so the tests replace it with the same engine in WebAssembly (tests/support/schema-engine.mjs).

// These tests start Prisma several times, and each start loads the engine again.
jest.setTimeout(120_000)

const createDatabase = scratchDatabases()
const migrated = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''

const prisma = (databaseUrl: string, ...words: string[]) =>
  runNode(['node_modules/prisma/build/index.js', ...words], {
    DATABASE_URL: databaseUrl,
    DIRECT_DATABASE_URL: '',
    PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('tests/support/schema-engine.mjs'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  })

const checksumsOf = async (url: string) =>
  (
    await inDatabase(url, (client) =>
      client.query('SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1'),
    )
  ).rows

it('"migrate status" and "migrate deploy" find nothing to do after "npm run migrate"', async () => {
  const url = await createDatabase('carried_over')
  // This is the hardest case, because our own code and not the engine has written the row of the start migration.
  await buildEarlierDatabase(url, earliestMigrations)
  await runMigrate(url)
  const status = await prisma(url, 'migrate', 'status')
  expect(status.stderr).toContain('Loaded Prisma config from prisma.config.ts.')
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('Database schema is up to date!')])
  const deploy = await prisma(url, 'migrate', 'deploy')
  expect([deploy.code, deploy.stdout]).toEqual([0, expect.stringContaining('No pending migrations to apply.')])
})

it('"migrate deploy" writes the same history as "npm run migrate", which then finds nothing to do', async () => {
  const url = await createDatabase('deployed')
  const deploy = await prisma(url, 'migrate', 'deploy')
  expect(deploy.stdout).toContain('All migrations have been successfully applied.')
  expect(await checksumsOf(url)).toEqual(await checksumsOf(migrated))
  expect((await runMigrate(url)).stdout).toBe('Nothing to migrate.\n')
})

it('"migrate diff" compares the database with the schema', async () => {
  const words = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema', '--exit-code']
  const same = await prisma(migrated, ...words)
  expect([same.code, same.stdout.trim()]).toEqual([0, 'No difference detected.'])
  await inDatabase(migrated, (client) => client.query('ALTER TABLE "Drop" ADD COLUMN "planted" INTEGER'))
  const drifted = await prisma(migrated, ...words)
  expect(drifted.code).toBe(2)
  expect(drifted.stdout).toContain('[-] Removed column `planted`')
})
