import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeDatabase } from '@/tests/support/describe-database'
import {
  buildEarlierDatabase,
  earlierMigrations,
  earliestMigrations,
  fillEarlierDatabase,
} from '@/tests/support/earlier-database'
import { runMigrate, runNode } from '@/tests/support/run-node'
import { inDatabase, scratchDatabases } from '@/tests/support/scratch-databases'

// The start migration replaces the migrations of prisma/earlier, and the first of those replaced seventeen migrations
// before it. A database or backup with any of them is carried over (prisma/carry-over.mjs). The result has the same
// schema and the same migration history as a database that was created with the start migration.

const START = '20261128150000_start'
/** The first migration of this history, and those that came later. */
const sinceStart = readdirSync('prisma/migrations')
  .filter((name) => name >= START && /^\d/.test(name))
  .sort()
const withLater = [...earliestMigrations, ...earlierMigrations.slice(1)]
const createDatabase = scratchDatabases()
const migrated = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-earlier-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type HistoryRow = { migration_name: string; checksum: string; applied_steps_count: number; isDone: boolean }

const historyOf = async (url: string): Promise<HistoryRow[]> =>
  (
    await inDatabase(url, (client) =>
      client.query(`SELECT migration_name, checksum, applied_steps_count,
                           finished_at IS NOT NULL AND logs IS NULL AND rolled_back_at IS NULL AS "isDone"
                      FROM _prisma_migrations ORDER BY 1`),
    )
  ).rows

const rowsOf = async (url: string) =>
  (
    await inDatabase(url, (client) =>
      client.query(`SELECT u."username", u."searchText", d."title", d."views", r."run", r."sold", r."endTime" = d."endTime" AS "isSameEnd",
                           (SELECT json_object_agg("name", "amount") FROM (SELECT "name", sum("amount")::int AS "amount" FROM "Tally" GROUP BY 1) t) AS "tallies"
                      FROM "User" u JOIN "Drop" d ON d."userId" = u."id" JOIN "DropRun" r ON r."dropId" = d."id"`),
    )
  ).rows
const rows = [
  {
    ...{ username: 'mira', searchText: 'mira@example.com\nmira', title: 'Mug', views: 90, run: 1, sold: 2 },
    ...{ isSameEnd: true, tallies: { users: 1, orders: 0, views: 90 } },
  },
]

it('a database with the earliest migrations is carried over to the start migration and keeps its rows', async () => {
  const url = await createDatabase('carried')
  await buildEarlierDatabase(url, earliestMigrations)
  await fillEarlierDatabase(url)
  expect((await runMigrate(url)).stdout).toMatch(new RegExp(`^${START}\n`))
  expect(await describeDatabase(url)).toEqual(await describeDatabase(migrated))
  expect(await historyOf(url)).toEqual(await historyOf(migrated))
  expect(await rowsOf(url)).toEqual(rows)
  expect((await runMigrate(url)).stdout).toBe('Nothing to migrate.\n')
})

it.each([20, earlierMigrations.length])(
  'a database with the first %s of the earlier migrations is carried over and keeps its rows',
  async (count) => {
    const url = await createDatabase(`carried_${count}`)
    await buildEarlierDatabase(url, earlierMigrations.slice(0, count))
    await fillEarlierDatabase(url, { isEarliest: false })
    expect((await runMigrate(url)).stdout).toMatch(new RegExp(`^${START}\n`))
    expect(await describeDatabase(url)).toEqual(await describeDatabase(migrated))
    expect(await historyOf(url)).toEqual(await historyOf(migrated))
    expect(await rowsOf(url)).toEqual(rows)
    expect((await runMigrate(url)).stdout).toBe('Nothing to migrate.\n')
  },
)

it('an earlier migration that did not finish is named, and nothing is changed', async () => {
  const url = await createDatabase('earlier_failed')
  await buildEarlierDatabase(url, earlierMigrations.slice(0, 3))
  await inDatabase(url, (client) =>
    client.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [
      earlierMigrations[2]?.name,
    ]),
  )
  const { code, stderr } = await runMigrate(url)
  expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
  expect(stderr).toMatch(/subscription_cancel_at did not finish on this database/)
  expect(await historyOf(url)).toHaveLength(3)
})

it('earlier migrations that a database of the earliest migrations already has are not applied again', async () => {
  const url = await createDatabase('carried_later')
  await buildEarlierDatabase(url, withLater)
  expect((await runMigrate(url)).stdout).toBe(`${sinceStart.join('\n')}\n`)
  expect(await describeDatabase(url)).toEqual(await describeDatabase(migrated))
  expect(await historyOf(url)).toEqual(await historyOf(migrated))
})

it('two processes that migrate at the same time carry a database over only once', async () => {
  const url = await createDatabase('carried_twice')
  await buildEarlierDatabase(url, earliestMigrations)
  const ended = await Promise.all([runMigrate(url), runMigrate(url)])
  expect(ended.map(({ code }) => code)).toEqual([0, 0])
  expect(ended.filter(({ stdout }) => stdout === 'Nothing to migrate.\n')).toHaveLength(1)
  expect(await historyOf(url)).toEqual(await historyOf(migrated))
})

it('a database is also carried over after "prisma migrate deploy" has failed to apply the start migration', async () => {
  const url = await createDatabase('deployed')
  await buildEarlierDatabase(url, earliestMigrations)
  await inDatabase(url, (client) =>
    client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs)
       VALUES ('1', 'x', $1, 'type "Plan" already exists')`,
      [START],
    ),
  )
  expect((await runMigrate(url)).code).toBe(0)
  expect(await historyOf(url)).toEqual(await historyOf(migrated))
  expect(await describeDatabase(url)).toEqual(await describeDatabase(migrated))
})

it('a database with only some of the earliest migrations is refused with a one-line error and not changed', async () => {
  const url = await createDatabase('half_way')
  await buildEarlierDatabase(url, earliestMigrations.slice(0, 10))
  const before = await describeDatabase(url)
  const { code, stdout, stderr } = await runMigrate(url)
  expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1])
  expect(stderr).toMatch(
    /half-way.*7 of 17 are missing, beginning with 20261121185000_direct_uploads\. Finish them with a version of Lastcall that still has them/,
  )
  expect(await describeDatabase(url)).toEqual(before)
  expect(await historyOf(url)).toHaveLength(10)
})

it('a database with a migration that this version does not know is refused as newer than this version', async () => {
  const url = await createDatabase('earlier_newer')
  await buildEarlierDatabase(url, earliestMigrations)
  await inDatabase(url, (client) =>
    client.query(`UPDATE _prisma_migrations SET migration_name = '20261122030000_unheard_of'
                   WHERE migration_name = '${earliestMigrations.at(-1)?.name}'`),
  )
  const { code, stderr } = await runMigrate(url)
  expect(code).toBe(1)
  expect(stderr).toMatch(/newer than this version.*20261122030000_unheard_of/)
})

describe('backups', () => {
  const backUp = (url: string, name: string) =>
    runNode(['scripts/backup.mjs', path.join(folder, name)], {
      ...{ DATABASE_URL: url, DIRECT_DATABASE_URL: '', DATA_DIR: path.join(folder, 'data'), NODE_ENV: 'production' },
    })
  const restore = (url: string, name: string) =>
    runNode(['scripts/restore.mjs', path.join(folder, name)], {
      ...{
        DATABASE_URL: url,
        DIRECT_DATABASE_URL: '',
        DATA_DIR: path.join(folder, 'restored'),
        NODE_ENV: 'production',
      },
    })

  it('a backup with some of the earlier migrations is restored as a database with the start migration', async () => {
    const [from, to] = [await createDatabase('backed_up_earlier'), await createDatabase('restored_earlier')]
    await buildEarlierDatabase(from, earlierMigrations.slice(0, 30))
    await fillEarlierDatabase(from, { isEarliest: false })
    expect((await backUp(from, 'earlier')).code).toBe(0)
    expect(await restore(to, 'earlier')).toMatchObject({ code: 0, stderr: '' })
    expect(await describeDatabase(to)).toEqual(await describeDatabase(migrated))
    expect(await historyOf(to)).toEqual(await historyOf(migrated))
    expect(await rowsOf(to)).toEqual(rows)
  })

  it('a backup with the earliest migrations is restored as a database with the start migration', async () => {
    const [from, to] = [await createDatabase('backed_up'), await createDatabase('restored')]
    await buildEarlierDatabase(from, withLater)
    await fillEarlierDatabase(from)
    expect((await backUp(from, 'whole')).code).toBe(0)
    const manifest = JSON.parse(readFileSync(path.join(folder, 'whole', 'manifest.json'), 'utf8')) as object
    expect(manifest).toMatchObject({ migrations: expect.arrayContaining(earliestMigrations.map(({ name }) => name)) })

    expect(await restore(to, 'whole')).toMatchObject({ code: 0, stderr: '' })
    expect(await describeDatabase(to)).toEqual(await describeDatabase(migrated))
    expect(await historyOf(to)).toEqual(await historyOf(migrated))
    expect(await rowsOf(to)).toEqual(rows)
  })

  it('a backup with only some of the earliest migrations is refused before anything is changed', async () => {
    const [from, to] = [await createDatabase('half_backed_up'), await createDatabase('untouched')]
    await buildEarlierDatabase(from, earliestMigrations.slice(0, 16))
    expect((await backUp(from, 'half')).code).toBe(0)
    const { code, stderr } = await restore(to, 'half')
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(stderr).toMatch(/^This backup stopped half-way.*1 of 17 are missing/)
    expect(await describeDatabase(to)).not.toContainEqual(expect.stringContaining('column '))
  })
})
