import { readdirSync } from 'node:fs'
import { describeDatabase } from '@/tests/support/describe-database'
import { runMigrate } from '@/tests/support/run-node'
import { inDatabase, scratchDatabases } from '@/tests/support/scratch-databases'

const createDatabase = scratchDatabases()
const migrated = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const names = readdirSync('prisma/migrations', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

const historyOf = async (url: string) =>
  (
    await inDatabase(url, (client) => client.query('SELECT migration_name FROM _prisma_migrations ORDER BY 1'))
  ).rows.map((row: { migration_name: string }) => row.migration_name)

it('an empty database gets all migrations, and a second run finds nothing to do', async () => {
  const url = await createDatabase('empty')
  expect(await runMigrate(url)).toEqual({ code: 0, stdout: `${names.join('\n')}\n`, stderr: '' })
  expect(await runMigrate(url)).toEqual({ code: 0, stdout: 'Nothing to migrate.\n', stderr: '' })
  expect(await historyOf(url)).toEqual(names)
  expect(await describeDatabase(url)).toEqual(await describeDatabase(migrated))
})

it('when two processes migrate at the same time, one applies the migrations and the other finds nothing to do', async () => {
  const url = await createDatabase('two')
  const ended = await Promise.all([runMigrate(url), runMigrate(url)])
  expect(ended.map(({ code }) => code)).toEqual([0, 0])
  expect(ended.map(({ stdout }) => stdout).sort()).toEqual([`${names.join('\n')}\n`, 'Nothing to migrate.\n'])
  expect(await historyOf(url)).toEqual(names)
})

it('a database that is newer than this version is refused in one line and not changed', async () => {
  const url = await createDatabase('newer')
  await runMigrate(url)
  await inDatabase(url, (client) =>
    client.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
                  VALUES ('1', 'x', '20991231000000_gift_cards', now(), 1)`),
  )
  const { code, stdout, stderr } = await runMigrate(url)
  expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1])
  expect(stderr).toMatch(
    /newer than this version.*20991231000000_gift_cards: start the version that made it, or restore/,
  )
  expect(await historyOf(url)).toEqual([...names, '20991231000000_gift_cards'])
})

it('a migration that failed earlier is named in one line, with what to do about it', async () => {
  const url = await createDatabase('failed')
  await runMigrate(url)
  await inDatabase(url, (client) =>
    client.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_start'`),
  )
  const { code, stderr } = await runMigrate(url)
  expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
  expect(stderr).toMatch(/_start did not finish on this database.*delete that row and start again/)
})

it('migrating without DATABASE_URL ends with one line and exit code 1', async () => {
  expect(await runMigrate('')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'DATABASE_URL is not set: name the database to migrate.\n',
  })
})
