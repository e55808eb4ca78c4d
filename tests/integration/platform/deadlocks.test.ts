// The application repeats a statement or a transaction that Postgres undid because of a deadlock. The tests have a file
// of their own, because database-faults.test.ts ends sessions, and a session that Postgres is still ending there
// would fail a statement here.
import { type Context, sqlTransaction, systemContext } from '@/lib/infra/context'
import { closeDatabase, database } from '@/lib/infra/db'
import { makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

it('repeats a statement that Postgres undid because of a deadlock', async () => {
  const [first, second] = [await makeSeller(), await makeSeller()]
  // Each statement locks one account, sleeps so that the other statement gets its lock too, and then updates the other
  // account.
  const opposed = (mine: number, theirs: number) =>
    database().sql(
      'opposed-locks',
      `WITH locked AS MATERIALIZED (SELECT "id" FROM "User" WHERE "id" = :mine FOR UPDATE),
            nap AS MATERIALIZED (SELECT pg_sleep(0.5) FROM locked)
       UPDATE "User" u SET "timezone" = u."timezone" FROM nap WHERE u."id" = :theirs RETURNING u."id"`,
      { mine, theirs },
    )
  const both = await Promise.all([opposed(first.id, second.id), opposed(second.id, first.id)])
  expect(both).toEqual([[{ id: second.id }], [{ id: first.id }]])
})

it('repeats a transaction of hand-written statements that Postgres undid because of a deadlock', async () => {
  const [first, second] = [await makeSeller(), await makeSeller()]
  let runs = 0
  let openGate: () => void
  const bothHaveLocked = new Promise<void>((resolve) => (openGate = resolve))
  const lock = (tx: Pick<Context, 'sql'>, id: number) =>
    tx.sql('lock-account', 'SELECT "id" FROM "User" WHERE "id" = :id FOR UPDATE', { id })
  const opposed = (mine: number, theirs: number) =>
    sqlTransaction(systemContext('test'), async (tx) => {
      await lock(tx, mine)
      runs += 1
      if (runs === 2) openGate()
      await bothHaveLocked
      return lock(tx, theirs)
    })
  const both = await Promise.all([opposed(first.id, second.id), opposed(second.id, first.id)])
  expect(both).toEqual([[{ id: second.id }], [{ id: first.id }]])
  expect(runs).toBe(3)
})
