import { createContext, transaction } from '@/lib/infra/context'
import { closeDatabase, db, pool, sql } from '@/lib/infra/db'
import { type LockedSeller } from '@/lib/drops/guards'
import { makeSeller } from '../../support/factories'

afterAll(closeDatabase)

const ctx = () => createContext({ actor: { kind: 'visitor' } })
const RENAME = 'UPDATE "User" SET "firstName" = :name WHERE "id" = :id RETURNING "firstName"'

it('statements run on the connection of the transaction', async () => {
  const seller = await makeSeller()
  const failure = new Error('undo')
  await expect(
    transaction(ctx(), async (tx) => {
      await tx.db.user.update({ where: { id: seller.id }, data: { lastName: 'By Prisma' } })
      await tx.sql('rename', RENAME, { name: 'By hand', id: seller.id })
      const [seen] = await tx.sql<{ lastName: string; pid: number }>(
        'seen',
        'SELECT "lastName", pg_backend_pid() AS "pid" FROM "User" WHERE "id" = :id',
        { id: seller.id },
      )
      const [prisma] = await tx.db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS "pid"`
      expect(seen).toEqual({ lastName: 'By Prisma', pid: prisma?.pid })
      expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({ firstName: 'Sam' })
      throw failure
    }),
  ).rejects.toBe(failure)
  expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({
    firstName: 'Sam',
    lastName: 'Seller',
  })
})
