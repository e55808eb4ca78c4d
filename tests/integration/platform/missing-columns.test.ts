import { closeDatabase } from '@/lib/infra/db'
import { findMissingColumns } from '@/lib/infra/find-missing-columns'
import { inDatabase } from '@/tests/support/scratch-databases'

afterAll(closeDatabase)

const url = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''

it('finds nothing in a migrated database, and what one of an earlier version lacks', async () => {
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
