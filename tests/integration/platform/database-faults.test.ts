// The database ends sessions while the product uses them. Reads are repeated; every other error is known as the
// database's, so that the answer is a 503 and not a 500 (docs/contract.md#errors).
import { Client } from 'pg'
import { transaction } from '@/lib/infra/context'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { visitor } from '@/tests/support/factories'

let operator: Client

beforeAll(async () => {
  operator = new Client(process.env.DATABASE_URL)
  await operator.connect()
})

afterAll(async () => {
  await operator.end()
  await closeDatabase()
})

const endSessions = () =>
  operator.query(`SELECT pg_terminate_backend("pid") FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name = 'lastcall'`)

const read = () => database().sql('count-users', 'SELECT count(*)::int AS "count" FROM "User"')

it('repeats reads whose connection was ended while it was idle', async () => {
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => db().user.count()))
    await endSessions()
    await Promise.all([read(), db().user.count(), db().user.findFirst(), db().platformSettings.findMany()])
  }
})

it('knows every error of a lost connection', async () => {
  const unknown: unknown[] = []
  let failures = 0
  const attempt = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      failures += 1
      if (!isDatabaseUnavailable(error)) unknown.push(error)
    })
  const write = () => db().$executeRaw`UPDATE "PlatformSettings" SET "isActive" = "isActive"`
  const slowWrite = () => db().$executeRaw`UPDATE "PlatformSettings" SET "isActive" = "isActive" FROM pg_sleep(0.05)`
  const inTransaction = () =>
    transaction(visitor(), async (tx) => {
      await tx.db.user.count()
      await tx.sql('nap', 'SELECT 1 AS "one" FROM pg_sleep(0.02)')
      await tx.db.user.findMany({ take: 1 })
    })
  for (let round = 0; round < 25; round += 1) {
    const works = [write(), slowWrite(), inTransaction(), inTransaction(), read(), inTransaction()].map(attempt)
    await endSessions()
    await Promise.all([...works, attempt(write())])
  }
  expect(unknown).toEqual([])
  expect(failures).toBeGreaterThan(10)
}, 60_000)
