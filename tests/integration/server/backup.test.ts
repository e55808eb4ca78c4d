import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { transaction } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { recordAudit } from '@/lib/platform/record-audit'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { runMigrate, runNode } from '@/tests/support/run-node'
import { dropDatabase, inDatabase } from '@/tests/support/scratch-databases'
import { openCheckout, pay } from '@/tests/support/shop'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-backup-'))
const source = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const other = new URL(source)
other.pathname = `${other.pathname}_restored`
const backup = path.join(folder, 'backup')

const run = (script: string, words: string[], env: Record<string, string>) =>
  execFileSync(process.execPath, [`scripts/${script}.mjs`, ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, NODE_ENV: 'production', __NEXT_PROCESSED_ENV: 'true', DIRECT_DATABASE_URL: '', ...env },
  })

const one = async (url: string, text: string): Promise<unknown> =>
  Object.values((await inDatabase(url, (client) => client.query(text))).rows[0] as object)[0]

beforeAll(() => inDatabase(source, (client) => client.query(`CREATE DATABASE "${other.pathname.slice(1)}"`)))

afterAll(async () => {
  await closeDatabase()
  await inDatabase(source, (client) => dropDatabase(client, other.pathname.slice(1)))
  rmSync(folder, { recursive: true, force: true })
})

it('a restored backup has the same rows and files, an append-only audit log, and new ids for new rows', async () => {
  const admin = await makeSeller({ isAdmin: true })
  const drop = await makeDrop({ title: 'A "quoted"\\ back\nslash {"table":"x"}' })
  await pay((await openCheckout(drop.id)).url)
  await transaction(contextFor(actorOf(admin)), (tx) =>
    recordAudit(tx, {
      action: 'test',
      targetType: 'drop',
      targetId: drop.id,
      after: { a: 1 },
    }),
  )
  const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')]
  mkdirSync(path.join(from, 'uploads'), { recursive: true })
  mkdirSync(path.join(from, 'tmp'))
  writeFileSync(path.join(from, 'uploads', 'picture.webp'), 'bytes')

  run('backup', [backup], { DATA_DIR: from })
  run('restore', [backup], { DATA_DIR: to, DATABASE_URL: other.href })

  expect(readFileSync(path.join(to, 'uploads', 'picture.webp'), 'utf8')).toBe('bytes')
  for (const table of ['User', 'Drop', 'Order', 'Hold', 'Transfer', 'AuditEntry', 'OutboxMail']) {
    const rows = `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM "${table}" t`
    expect([table, await one(other.href, rows)]).toEqual([table, await one(source, rows)])
  }
  // The restored audit log refuses changes, and the next user gets a new id.
  await expect(one(other.href, 'DELETE FROM "AuditEntry"')).rejects.toThrow('append-only')
  const next = await one(other.href, `SELECT nextval(pg_get_serial_sequence('"User"', 'id'))::int`)
  expect(next).toBe(Number(await one(source, 'SELECT max("id") FROM "User"')) + 1)
  // A database that is not empty is never overwritten.
  expect(() => run('restore', [backup], { DATA_DIR: to, DATABASE_URL: other.href })).toThrow('not empty')
})

/** Makes a database without tables that holds a function of its host. The test must remove the database. */
async function makeForeignDatabase(name: string) {
  const url = new URL(source)
  url.pathname += name
  const drop = () => inDatabase(source, (client) => dropDatabase(client, url.pathname.slice(1)))
  await drop()
  await inDatabase(source, (client) => client.query(`CREATE DATABASE "${url.pathname.slice(1)}"`))
  await inDatabase(url.href, (client) => client.query('CREATE FUNCTION theirs() RETURNS int RETURN 7'))
  return { url: url.href, drop }
}

/** Returns the names of everything in the database that does not come from Postgres itself or an extension. */
const contentsOf = (url: string) =>
  one(
    url,
    `SELECT array_agg(name ORDER BY name) FROM (
       SELECT c.relname::text AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind <> 'i'
        UNION ALL SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|public)'
        UNION ALL SELECT t.typname FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'e'
        UNION ALL SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')) found`,
  )

const restoreInto = (url: string, from: string, to: string) =>
  run('restore', [from], { DATA_DIR: to, DATABASE_URL: url })

/** Copies the backup and changes its rows. The sum in the manifest of the copy fits. @returns the folder of the copy */
function changedBackup(name: string, change: (rows: string) => string): string {
  const changed = path.join(folder, name)
  cpSync(backup, changed, { recursive: true })
  const rows = gunzipSync(readFileSync(path.join(backup, 'database.ndjson.gz'))).toString('utf8')
  const written = gzipSync(change(rows))
  writeFileSync(path.join(changed, 'database.ndjson.gz'), written)
  const manifest = JSON.parse(readFileSync(path.join(changed, 'manifest.json'), 'utf8')) as object
  const sha256 = createHash('sha256').update(written).digest('hex')
  writeFileSync(path.join(changed, 'manifest.json'), JSON.stringify({ ...manifest, sha256 }))
  return changed
}

// The triggers that keep this rule are off while rows are loaded.
it('a backup with a row that breaks a rule of its table is not restored', async () => {
  const broken = changedBackup('broken-rule', (rows) => rows.replace(/"platformFeeCents":\d+/, '"platformFeeCents":-1'))
  const { url, drop } = await makeForeignDatabase('_broken')
  const before = await contentsOf(url)
  expect(() => restoreInto(url, broken, path.join(folder, 'to-broken'))).toThrow(
    'a row of Order breaks the rule Order_money',
  )
  expect(await contentsOf(url)).toEqual(before)
  await drop()
})

it('a restore that fails at its last row leaves the database and the files unchanged, and the next restore succeeds', async () => {
  const bad = changedBackup('bad', (rows) => `${rows}{"table":"Nowhere"}\n{"id":1}\n`)
  const to = path.join(folder, 'to-foreign')
  mkdirSync(path.join(to, 'uploads'), { recursive: true })
  writeFileSync(path.join(to, 'uploads', 'picture.webp'), 'other bytes')
  const { url, drop } = await makeForeignDatabase('_foreign')
  try {
    await inDatabase(url, (client) => client.query('CREATE TABLE full_of_data AS SELECT 7 AS kept'))
    expect(() => restoreInto(url, backup, to)).toThrow('not empty')
    expect(await contentsOf(url)).toEqual(['full_of_data', 'theirs'])
    await inDatabase(url, (client) => client.query('DROP TABLE full_of_data'))

    expect(() => restoreInto(url, bad, to)).toThrow('there is no table Nowhere')
    expect(await contentsOf(url)).toEqual(['theirs'])
    expect(readFileSync(path.join(to, 'uploads', 'picture.webp'), 'utf8')).toBe('other bytes')
    expect(existsSync(path.join(to, 'backups'))).toBe(false)

    restoreInto(url, backup, to)
    expect(await one(url, 'SELECT theirs()')).toBe(7)
    expect(await one(url, 'SELECT count(*)::int FROM "Order"')).toBe(
      await one(source, 'SELECT count(*)::int FROM "Order"'),
    )
    expect(readFileSync(path.join(to, 'uploads', 'picture.webp'), 'utf8')).toBe('bytes')
  } finally {
    await drop()
  }
}, 120_000)

it('a database whose restore was killed is not migrated, and another restore starts over', async () => {
  const { url, drop } = await makeForeignDatabase('_killed')
  try {
    const killed = await runNode(
      [
        '--input-type=module',
        '--eval',
        `import pg from 'pg'
         import { noteRestore } from './lib/operations/unfinished-restore.mjs'
         import { migrate } from './prisma/migrate.mjs'
         const client = new pg.Client(${JSON.stringify(url)})
         await client.connect()
         await noteRestore(client)
         await migrate(${JSON.stringify(url)}, { isRestore: true })
         process.kill(process.pid, 'SIGKILL')`,
      ],
      { NODE_ENV: 'production' },
    )
    expect(killed).toMatchObject({ stderr: '' })
    expect(await contentsOf(url)).toEqual(expect.arrayContaining(['Order', 'theirs']))
    expect(await runMigrate(url)).toMatchObject({
      code: 1,
      stderr: 'A restore into this database was interrupted: run the same `npm run restore` again.\n',
    })
    restoreInto(url, backup, path.join(folder, 'to-killed'))
    expect(await one(url, 'SELECT count(*)::int FROM "Order"')).toBeGreaterThan(0)
    expect(await one(url, 'SELECT theirs()')).toBe(7)
    expect(await runMigrate(url)).toMatchObject({ code: 0 })
  } finally {
    await drop()
  }
}, 120_000)

const hasSecondDisk = existsSync('/dev/shm')
;(hasSecondDisk ? it : it.skip)(
  'a restore replaces files whose backups are on another disk, and moves them back when the database fails',
  async () => {
    const to = path.join(folder, 'to-other-disk')
    const disk = mkdtempSync('/dev/shm/lastcall-backups-')
    mkdirSync(path.join(to, 'uploads', 'drops'), { recursive: true })
    writeFileSync(path.join(to, 'uploads', 'drops', 'old.webp'), 'earlier bytes')
    symlinkSync(disk, path.join(to, 'backups'))
    const filesOf = (place: string) => readdirSync(place, { recursive: true }).map(String).sort()
    const { url, drop } = await makeForeignDatabase('_disks')
    try {
      // The last step of a restore removes its note from the database. Here that step fails.
      const failing = await runNode(
        [
          '--input-type=module',
          '--eval',
          `import pg from 'pg'
           import { restoreBackup } from './lib/operations/restore-backup.mjs'
           const query = pg.Client.prototype.query
           pg.Client.prototype.query = function (text, ...rest) {
             if (String(text).startsWith('DROP SCHEMA')) throw new Error('the database went away')
             return query.call(this, text, ...rest)
           }
           await restoreBackup(${JSON.stringify({ folder: backup, dataDir: to, databaseUrl: url, isEmbedded: false })})`,
        ],
        { NODE_ENV: 'production' },
      )
      expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining('the database went away') as string })
      expect(filesOf(path.join(to, 'uploads'))).toEqual(['drops', 'drops/old.webp'])
      expect(readFileSync(path.join(to, 'uploads', 'drops', 'old.webp'), 'utf8')).toBe('earlier bytes')

      const said = restoreInto(url, backup, to)
      const aside = /Kept from before: (.*before-\d+)/.exec(said)?.[1] ?? ''
      expect(readFileSync(path.join(to, 'uploads', 'picture.webp'), 'utf8')).toBe('bytes')
      expect(filesOf(path.join(to, 'uploads'))).toEqual(['picture.webp'])
      expect(filesOf(path.join(aside, 'uploads'))).toEqual(['drops', 'drops/old.webp'])
      expect(filesOf(disk).filter((name) => name.startsWith('restore-'))).toEqual([])
    } finally {
      rmSync(disk, { recursive: true, force: true })
      await drop()
    }
  },
  120_000,
)

it('a damaged backup is refused', () => {
  const file = path.join(backup, 'database.ndjson.gz')
  const bytes = readFileSync(file)
  bytes[bytes.length - 20]! ^= 1
  writeFileSync(file, bytes)
  expect(() => run('restore', [backup], { DATA_DIR: path.join(folder, 'to') })).toThrow('damaged')
})

const hasFullDevice = existsSync('/dev/full')
;(hasFullDevice ? it : it.skip)(
  'a full disk is reported in one line that says what to do, and a second attempt works',
  async () => {
    const folderOfTry = path.join(folder, 'try')
    const backUp = () =>
      runNode(['scripts/backup.mjs', folderOfTry], {
        ...{ DATABASE_URL: source, DIRECT_DATABASE_URL: '' },
        ...{ NODE_ENV: 'production', DATA_DIR: path.join(folder, 'to') },
      })
    // The backup creates its folder, reads _prisma_migrations and then creates its file. A lock on this table stops the
    // backup, and meanwhile the test creates a link to a full disk where the backup will write its file.
    const full = await inDatabase(source, async (client) => {
      await client.query('BEGIN')
      await client.query('LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE')
      const ended = backUp()
      const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = '_prisma_migrations'::regclass`
      let hasEnded = false
      void ended.then(() => (hasEnded = true))
      while (!hasEnded && (await client.query(waits)).rowCount === 0);
      symlinkSync('/dev/full', path.join(folderOfTry, 'database.ndjson.gz'))
      await client.query('ROLLBACK')
      return ended
    })
    expect(full).toEqual({
      code: 1,
      stdout: '',
      stderr: `The disk of ${folderOfTry} is full: free some space, or name a folder on another disk. What was written is removed.\n`,
    })
    expect(existsSync(folderOfTry)).toBe(false)
    expect(await backUp()).toMatchObject({ code: 0 })
  },
  120_000,
)
