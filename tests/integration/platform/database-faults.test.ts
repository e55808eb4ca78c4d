// These tests end database sessions while the application uses them. Outside of a transaction, the application repeats
// a read that has failed. Any other statement throws an error that the application must recognize as a lost connection,
// so that it responds with 503 and not 500 (docs/contract.md#errors).
import { Client } from 'pg'
import { transaction } from '@/lib/infra/context'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { visitor } from '@/tests/support/factories'

let operator: Client

beforeAll(async () => {
  // Connects directly, because a connection through a pooler could use one of the sessions that these tests end.
  operator = new Client(process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL)
  await operator.connect()
})

afterAll(async () => {
  await operator.end()
  await closeDatabase()
})

/** Ends all sessions of the application. Postgres may still be ending them when this returns. */
const endSessions = () =>
  operator.query(`SELECT pg_terminate_backend("pid") FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name = 'lastcall'`)

/** Waits until the sessions that were ended are gone. */
async function untilEnded(): Promise<void> {
  for (;;) {
    const { rows } = await operator.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lastcall'`,
    )
    if (rows.length === 0) return
  }
}

const read = () => database().sql('count-users', 'SELECT count(*)::int AS "count" FROM "User"')

it('repeats reads whose connection was ended while it was idle', async () => {
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => db().user.count()))
    await endSessions()
    await untilEnded()
    await Promise.all([read(), db().user.count(), db().user.findFirst(), db().platformSettings.findMany()])
  }
})

it('recognizes every error of a lost connection', async () => {
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
  // On a slow machine some statements end before their session does, so the rounds go on until enough have failed.
  for (let round = 0; round < 25 || failures <= 10; round += 1) {
    const works = [write(), slowWrite(), inTransaction(), inTransaction(), read(), inTransaction()].map(attempt)
    await endSessions()
    await Promise.all([...works, attempt(write())])
  }
  expect(unknown).toEqual([])
}, 120_000)
