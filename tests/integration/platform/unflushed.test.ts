// Some rows are committed without waiting for the disk (ADR 0071). This must never reach the statements after them.
import { closeDatabase, database, openSqlTransaction } from '@/lib/infra/db'
import { UNFLUSHED } from '@/lib/infra/unflushed'

afterAll(closeDatabase)

const SETTING = `SELECT current_setting('synchronous_commit') AS "value"`

it('applies to its own statement, and not to the next one on the same connection', async () => {
  const { sql } = database()
  const [usual] = await sql<{ value: string }>('usual-flush', SETTING)
  for (let round = 0; round < 40; round += 1) {
    const [inside] = await sql<{ value: string }>('without-flush', `WITH ${UNFLUSHED} ${SETTING} FROM unflushed`)
    expect(inside).toEqual({ value: 'off' })
    expect(await sql('usual-flush', SETTING)).toEqual([usual])
  }
})

it('would also apply to the rest of a transaction, and therefore stands outside of transactions only', async () => {
  const after = await openSqlTransaction(async (sql) => {
    await sql('without-flush', `WITH ${UNFLUSHED} ${SETTING} FROM unflushed`)
    return sql<{ value: string }>('usual-flush', SETTING)
  })
  expect(after).toEqual([{ value: 'off' }])
})
