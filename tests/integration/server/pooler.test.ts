import { togglePlatform } from '@/lib/admin/toggle-platform'
import { closeDatabase, database, db, pool } from '@/lib/infra/db'
import { consume } from '@/lib/infra/rate-limit'
import { systemContext, transaction } from '@/lib/infra/context'
import { runArchive } from '@/lib/jobs/run-archive'
import { createLeases, releaseLeases, withLease } from '@/lib/jobs/with-lease'
import { transactionPoolerProblem, isTransactionPooler } from '@/lib/operations/check-database.mjs'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { refundOrder } from '@/lib/refunds/refund-order'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { newId, newSecret } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { isPlatformActive } from '@/lib/platform/queries'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { runMigrate, runNode } from '@/tests/support/run-node'
import { openCheckout, pay, payEmbedded } from '@/tests/support/shop'
import { startPooler } from '@/tests/support/start-pooler.mjs'

// These tests run the application with a connection pooler in transaction mode in front of Postgres (ADR 0048). With
// LASTCALL_POOLER=pgbouncer or LASTCALL_POOLER=stand-in, the other integration tests send the application's statements
// through a pooler, too.
const directUrl = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
let pooler: Awaited<ReturnType<typeof startPooler>>

beforeAll(async () => {
  pooler = await startPooler(directUrl)
  if (pooler.kind === 'stand-in') console.warn('pgbouncer is not installed: the stand-in of a pooler is used instead')
  // The URLs must be set before the environment is first read.
  Object.assign(process.env, { DATABASE_URL: pooler.databaseUrl, DIRECT_DATABASE_URL: directUrl })
})
afterAll(async () => {
  await closeDatabase()
  await pooler.stop()
})
examineMoneyAfterEach()

const many = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

it('statements of one client run on several connections of Postgres', async () => {
  const pids = await many(60, async () => {
    // The statements overlap, because each takes a moment. Otherwise one connection could serve them all.
    const rows = await database().sql<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS "pid" FROM pg_sleep(0.05)')
    return rows[0]?.pid
  })
  expect(new Set(pids).size).toBeGreaterThan(1)
  expect(await isTransactionPooler(pooler.databaseUrl)).toBe(true)
  expect(await isTransactionPooler(directUrl)).toBe(false)
})

it('transactionPoolerProblem() names the variable that leads to a pooler, and none while the database is unreachable', async () => {
  const { databaseUrl } = pooler
  const text = (name: string) => expect.stringMatching(new RegExp(`^${name} leads to a connection pooler`)) as string
  expect(await transactionPoolerProblem({ databaseUrl, directDatabaseUrl: null })).toEqual(text('DATABASE_URL'))
  expect(await transactionPoolerProblem({ databaseUrl: directUrl, directDatabaseUrl: databaseUrl })).toEqual(
    text('DIRECT_DATABASE_URL'),
  )
  expect(await transactionPoolerProblem({ databaseUrl, directDatabaseUrl: directUrl })).toBeNull()
  const away = 'postgresql://lastcall@127.0.0.1:1/lastcall'
  expect(await transactionPoolerProblem({ databaseUrl: away, directDatabaseUrl: null })).toBeNull()
})

it('a drop is sold in both checkout modes, never oversold, and refunded', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, quantity: 6 })
  const taken = await Promise.allSettled(Array.from({ length: 12 }, () => openCheckout(drop.id)))
  const open = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(open).toHaveLength(6)
  for (const { url, sessionId } of open.slice(0, 5)) {
    expect((await pay(url)).status).toBe(303)
    expect(await getPaidOrder(visitor(), sessionId)).toMatchObject({ status: 'paid' })
  }
  const [order] = await db().order.findMany({ where: { dropId: drop.id, status: 'paid' } })
  const refund = { orderId: order!.id, refundId: newId('ref'), amountCents: order!.amountCents, restockUnits: 1 }
  expect(await refundOrder(contextFor(actorOf(seller)), refund)).toBe('succeeded')
  const other = await makeDrop({ quantity: 1 })
  const { clientSecret } = await startEmbeddedCheckout(visitor(), { dropId: other.id, buyerToken: newSecret() })
  expect((await payEmbedded(clientSecret)).status).toBe(200)
})

it('the kill switch closes unpaid checkouts', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const { url } = await openCheckout(drop.id)
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  await togglePlatform(admin, { isActive: false })
  expect((await pay(url)).status).not.toBe(303)
  expect(await isPlatformActive(admin)).toBe(false)
  await many(20, () => togglePlatform(admin, { isActive: true }))
  expect(await isPlatformActive(admin)).toBe(true)
})

it('only one process at a time archives drops', async () => {
  const ended = await makeDrop({ endTime: new Date(Date.now() - HOUR_MS), isActive: true })
  const [first, second] = [createLeases(), createLeases()]
  const runs: string[] = []
  const attempt = (leases: typeof first, name: string) =>
    withLease(leases, 'archive', async () => {
      runs.push(name)
      await runArchive()
    })
  await attempt(first, 'first')
  await attempt(second, 'second')
  await attempt(first, 'first')
  expect(runs).toEqual(['first', 'first'])
  expect((await db().drop.findUniqueOrThrow({ where: { id: ended.id } })).archivedAt).not.toBeNull()
  await releaseLeases(first)
  await attempt(second, 'second')
  // A process that crashed has not released its lease.
  await attempt(first, 'first')
  await db().jobLease.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  await attempt(first, 'first')
  expect(runs).toEqual(['first', 'first', 'second', 'first'])
})

it('rate limits are counted exactly, and a failed transaction is rolled back completely', async () => {
  const limit = { name: 'pooled', points: 10, windowSeconds: 60 }
  const outcomes = await many(30, () => consume(limit, 'one'))
  expect(outcomes.filter((seconds) => seconds === null)).toHaveLength(10)
  const seller = await makeSeller()
  const ctx = systemContext('pooled')
  const failing = transaction(ctx, async (tx) => {
    await tx.db.user.update({ where: { id: seller.id }, data: { firstName: 'Changed' } })
    await tx.sql('rename', 'UPDATE "User" SET "lastName" = :name WHERE "id" = :id', { name: 'Changed', id: seller.id })
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await db().user.findUniqueOrThrow({ where: { id: seller.id } })).toMatchObject({ firstName: 'Sam' })
})

it('a transaction sets its timeouts, which do not stay on the connection', async () => {
  const settings = `SELECT current_setting('lock_timeout') AS "lock", current_setting('statement_timeout') AS "statement"`
  await transaction(systemContext('pooled'), async (tx) => {
    expect(await tx.sql.unprepared(settings)).toEqual([{ lock: '8s', statement: '15s' }])
  })
  const after = await many(40, () => pool().query(settings))
  for (const { rows } of after) expect(rows).toEqual([{ lock: '0', statement: '0' }])
})

it('migrations use DIRECT_DATABASE_URL, and refuse a pooler in one line', async () => {
  const both = { DATABASE_URL: pooler.databaseUrl, DIRECT_DATABASE_URL: directUrl }
  expect(await runNode(['prisma/migrate.mjs'], both)).toMatchObject({ code: 0, stdout: 'Nothing to migrate.\n' })
  expect(await runMigrate(pooler.databaseUrl)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^DATABASE_URL leads to a connection pooler.*set DIRECT_DATABASE_URL.*\n$/) as string,
  })
})
