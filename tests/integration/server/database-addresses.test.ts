import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exportList } from '@/lib/admin/export-list'
import { listUsers } from '@/lib/admin/queries'
import { closeDatabase, db } from '@/lib/infra/db'
import { driverAddress } from '@/lib/kernel/database-address.mjs'
import { awaitDatabase, settleSslMode } from '@/lib/operations/check-database.mjs'
import { explainDatabaseError } from '@/lib/operations/explain-database-error.mjs'
import { startDatabaseProxy } from '@/tests/support/start-database-proxy'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { startAgainWith } from '@/tests/support/start-again-with'
import { runMigrate, runNode } from '@/tests/support/run-node'
import { inDatabase, scratchDatabases } from '@/tests/support/scratch-databases'
import { certificateFile, startTlsProxy } from '@/tests/support/start-tls-proxy'

const own = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const createDatabase = scratchDatabases()
const check = (url: string) => awaitDatabase('DATABASE_URL', url, { waitMs: 0 })
const oneLine = (words: RegExp) => expect.objectContaining({ message: expect.stringMatching(words) as string })

describe('sslmode has the same meaning as in libpq', () => {
  let tls: Awaited<ReturnType<typeof startTlsProxy>>
  beforeAll(async () => {
    tls = await startTlsProxy(own)
  })
  afterAll(() => tls.stop())

  it.each([
    ['prefer', ''],
    ['allow', ''],
    ['require', ''],
    ['no-verify', ''],
    ['require', '&sslrootcert='],
    ['verify-ca', '&sslrootcert='],
    ['verify-full', '&sslrootcert='],
  ])('%s%s reaches a server with a self-signed certificate', async (mode, root) => {
    const file = root && encodeURIComponent(certificateFile)
    await check(await settleSslMode(tls.address(`sslmode=${mode}${root}${file}`)))
  })

  it('verify-ca does not check the host of the certificate, and verify-full does', async () => {
    const root = `&sslrootcert=${encodeURIComponent(certificateFile)}`
    await check(tls.address(`sslmode=verify-ca${root}`, '127.0.0.1'))
    await expect(check(tls.address(`sslmode=verify-full${root}`, '127.0.0.1'))).rejects.toEqual(
      oneLine(/^DATABASE_URL: .*its certificate is for another host/),
    )
  })

  it('pending migrations are listed with sslmode=require', async () => {
    const script = `import { listPending } from './prisma/migrate.mjs'
      console.log((await listPending(${JSON.stringify(tls.address('sslmode=require'))})).length)`
    expect(await runNode(['--input-type=module', '-e', script], {})).toMatchObject({ code: 0, stdout: '0\n' })
  })

  it('an unknown certificate is refused, and the error says what to do', () =>
    expect(check(tls.address('sslmode=verify-full'))).rejects.toEqual(oneLine(/is self-signed: add sslrootcert/)))

  it('a missing certificate file is named', () =>
    expect(check(tls.address('sslmode=verify-full&sslrootcert=/nowhere.pem'))).rejects.toEqual(
      oneLine(/sslrootcert.*is missing: correct its path/),
    ))

  it('prefer connects without TLS when the server has none, and require fails', async () => {
    await check(await settleSslMode(`${own}?sslmode=prefer`))
    await expect(check(`${own}?sslmode=require`)).rejects.toEqual(oneLine(/does not support TLS: use sslmode=disable/))
  })

  it('migrations run with sslmode=require', async () => {
    const url = new URL(await createDatabase('secured'))
    const secured = new URL(tls.address('sslmode=require'))
    secured.pathname = url.pathname
    expect(await runMigrate(secured.href)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('one line says what to do', () => {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(own)
    change(url)
    return url.href
  }

  it.each([
    ['when the password is wrong', changed((url) => (url.password = 'wrong')), /refuses the user or the password/],
    [
      'when the database does not exist',
      changed((url) => (url.pathname = '/nowhere')),
      /no database of that name: create it/,
    ],
    [
      'when nothing listens at the address',
      'postgresql://a:b@127.0.0.1:1/shop',
      /at 127\.0\.0\.1:1 .*nothing listens there: start it/,
    ],
    ['when the host does not exist', 'postgresql://a:b@nowhere.invalid/shop', /no host of that name: correct it/],
  ])('%s', async (_name, url, words) => {
    await expect(check(url)).rejects.toEqual(oneLine(words))
    const { code, stdout, stderr } = await runMigrate(url, '')
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1])
    expect(stderr).not.toContain('wrong@')
  })

  it('when the disk of the database is full', () =>
    expect(explainDatabaseError('DATABASE_URL', own, { code: '53100' })).toMatch(/its disk is full: free some space/))

  it('when a start cannot log in to the database', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'lastcall-start-'))
    const env = { DATABASE_URL: changed((url) => (url.password = 'wrong')), DATA_DIR: dataDir, DIRECT_DATABASE_URL: '' }
    const { code, stderr } = await runNode(['scripts/start.mjs'], { ...env, PORT: '45871', NODE_ENV: 'production' })
    rmSync(dataDir, { recursive: true })
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^DATABASE_URL: the database at .* refuses the user or the password/)],
    ])
  })
})

describe('waiting', () => {
  it('for a database that cannot be reached yet reports the cause, and ends when the database can be reached', async () => {
    const proxy = await startDatabaseProxy(own)
    proxy.cut()
    const causes: string[] = []
    const onWaiting = (cause: string) => {
      causes.push(cause)
      proxy.mend()
    }
    await awaitDatabase('DATABASE_URL', proxy.databaseUrl, { waitMs: 20_000, onWaiting })
    expect(causes).toEqual([expect.stringMatching(/ECONNRESET|terminated/)])
    proxy.stop()
  })

  it('for another migration is reported', async () => {
    const url = await createDatabase('waiting')
    await inDatabase(url, async (client) => {
      await client.query('SELECT pg_advisory_lock(20261120)')
      const migrating = runMigrate(url)
      // The migration waits once its request for the lock is in the queue.
      const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 20261120`
      while ((await client.query(waits)).rowCount === 0);
      await client.query('SELECT pg_advisory_unlock(20261120)')
      expect(await migrating).toMatchObject({
        code: 0,
        stderr: '… Waiting for another process that is migrating this database\n',
      })
    })
  })

  it('for a table that another session uses is reported, and the migration follows it', async () => {
    const url = await createDatabase('locked')
    const start = `import { migrate } from './prisma/migrate.mjs'
      await migrate(${JSON.stringify(url)}, { only: ['20261122080000_start'] })`
    expect(await runNode(['--input-type=module', '-e', start], {})).toMatchObject({ code: 0 })
    await inDatabase(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE "Drop", "Order", "User" IN ACCESS SHARE MODE')
      const migrating = runMigrate(url)
      // A script gives up after two seconds. The next one gives up only if this session still has its lock.
      const waits = 'SELECT FROM pg_locks WHERE NOT granted'
      while ((await client.query(waits)).rowCount === 0);
      while ((await client.query(waits)).rowCount !== 0);
      await client.query('COMMIT')
      const { code, stdout, stderr } = await migrating
      expect([code, new Set(stderr.split('\n'))]).toEqual([
        0,
        new Set(['… Waiting for another session that uses a table of this database, such as a backup', '']),
      ])
      expect(stdout).toMatch(/^\d+_start\n/)
    })
  })
})

describe('READ_DATABASE_URL', () => {
  it('serves lists and exports, and the main database serves them while the replica is unavailable', async () => {
    const replicaUrl = await createDatabase('replica')
    await runMigrate(replicaUrl)
    await inDatabase(replicaUrl, (client) =>
      client.query(
        `INSERT INTO "User" ("username", "firstName", "lastName", "email", "passwordHash", "updatedAt")
         VALUES ('on_replica', 'R', '', 'r@example.com', '', now())`,
      ),
    )
    const proxy = await startDatabaseProxy(replicaUrl)
    process.env.READ_DATABASE_URL = proxy.databaseUrl
    const admin = await makeSeller({ isAdmin: true })
    const ctx = contextFor(actorOf(admin))
    const names = async () => (await listUsers(ctx.reading, { limit: 100 })).map(({ username }) => username)
    expect(await names()).toEqual(['on_replica'])
    const file = await new Response(await exportList(ctx, 'users')).text()
    expect(file).toContain('on_replica')
    // What the application writes, such as the audit row of the export, is in the main database.
    expect(await db().auditEntry.count({ where: { actorId: admin.id, action: 'export.users' } })).toBe(1)
    proxy.cut()
    expect(await names()).toEqual([admin.username])
    // The replica can be reached again, but it refuses the query, as if it lacked a new column or a permission.
    proxy.mend()
    await inDatabase(replicaUrl, (client) => client.query('ALTER TABLE "User" RENAME TO "Elsewhere"'))
    expect(await names()).toEqual([admin.username])
    await closeDatabase()
    proxy.stop()
  })

  it('the lists work even when the replica refuses the password', async () => {
    const wrong = new URL(own)
    wrong.password = 'wrong'
    startAgainWith({ READ_DATABASE_URL: wrong.href })
    const admin = await makeSeller({ isAdmin: true })
    const users = await listUsers(contextFor(actorOf(admin)).reading, { limit: 100 })
    expect(users.map(({ id }) => id)).toContain(admin.id)
    await closeDatabase()
  })
})

it('driverAddress changes a URL only when it contains sslmode', () => {
  expect(driverAddress('postgresql://a:b@h/d')).toBe('postgresql://a:b@h/d')
  expect(driverAddress('postgresql://a:b@h/d?sslmode=require')).toContain('uselibpqcompat=true')
  expect(driverAddress('postgresql://a:b@h/d?sslmode=require&sslrootcert=system')).not.toContain('sslrootcert')
})
