import { closeDatabase } from '@/lib/infra/db'
import { findMissingColumns } from '@/lib/infra/find-missing-columns'
import { inDatabase } from '@/tests/support/scratch-databases'

afterAll(closeDatabase)

const url = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''

it('finds no missing column in a migrated database, and finds every column that was dropped from it', async () => {
  expect(await findMissingColumns()).toEqual([])
  await inDatabase(url, async (client) => {
    await client.query('ALTER TABLE "Drop" DROP COLUMN "views" CASCADE')
    await client.query('DROP TABLE "JobLease"')
  })
  expect(await findMissingColumns()).toEqual(
    expect.arrayContaining(['Drop.views', 'JobLease.name', 'JobLease.holder', 'JobLease.expiresAt']),
  )
  expect(await findMissingColumns()).toHaveLength(4)
})
