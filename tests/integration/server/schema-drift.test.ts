import { runMigrate } from '@/tests/support/run-node'
import { inDatabase } from '@/tests/support/scratch-databases'

// The database of these tests was created by prisma/migrations.
const migrated = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const change = (sql: string) => inDatabase(migrated, (client) => client.query(sql))
const difference = async () => (await runMigrate(migrated, '--diff')).stdout.trim()

it('the migrations create exactly the schema in prisma/schema', async () => {
  expect(await difference()).toBe('-- The database is what prisma/schema says.')
})

it('a column of the database that is not in the schema is found', async () => {
  await change('ALTER TABLE "Drop" ADD COLUMN "planted" INTEGER')
  expect(await difference()).toBe('-- AlterTable\nALTER TABLE "Drop" DROP COLUMN "planted";')
  await change('ALTER TABLE "Drop" DROP COLUMN "planted"')
})

it('a column and an index that are only in the schema are found', async () => {
  await change('ALTER TABLE "Order" DROP COLUMN "carrier"; DROP INDEX "Hold_dropId_buyerKey_idx"')
  const script = await difference()
  expect(script).toContain('ALTER TABLE "Order" ADD COLUMN     "carrier" TEXT;')
  expect(script).toContain('CREATE INDEX "Hold_dropId_buyerKey_idx" ON "Hold"("dropId", "buyerKey");')
})
