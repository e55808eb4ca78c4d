import { countStats } from '@/lib/admin/count-stats'
import { updateDrop } from '@/lib/admin/update-drop'
import { removeAccount } from '@/lib/closure/remove-account'
import { closeDatabase, database, db, pool } from '@/lib/infra/db'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { foldTallies } from '@/lib/platform/fold-tallies'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const asAdmin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const breaches = async () =>
  (await checkInvariants({ query: (text) => pool().query(text) })).find(({ name }) => name === 'I9')?.breaches

it('counts users, running drops, paid orders and views exactly and without delay', async () => {
  const ctx = await asAdmin()
  const before = await countStats(visitor())
  const drop = await makeDrop({ views: 7 })
  const paid = await openCheckout(drop.id)
  await pay(paid.url)
  await getPaidOrder(visitor(), paid.sessionId)
  await openCheckout(drop.id)
  await db().drop.update({ where: { id: drop.id }, data: { views: { increment: 5 } } })
  await makeDrop({ userId: drop.userId, endTime: new Date(Date.now() - 1_000) })
  expect(await countStats(visitor())).toEqual({
    totalUsers: before.totalUsers + 1,
    activeDrops: before.activeDrops + 1,
    // One order was paid, and the other is still in checkout.
    totalOrders: before.totalOrders + 1,
    totalViews: before.totalViews + 12,
  })
  await updateDrop(ctx, drop.id, { action: 'end' })
  await removeAccount(ctx, drop.userId)
  expect(await countStats(visitor())).toEqual({
    ...before,
    totalOrders: before.totalOrders + 1,
    totalViews: before.totalViews + 12,
  })
})

it('no longer counts the views of a drop whose row was deleted', async () => {
  const drop = await makeDrop({ views: 40 })
  const before = await countStats(visitor())
  await db().drop.delete({ where: { id: drop.id } })
  expect((await countStats(visitor())).totalViews).toBe(before.totalViews - 40)
})

it('the number of users never goes down while tallies are merged, and at most 200 rows are left afterwards', async () => {
  const before = await countStats(visitor())
  const MADE = 300
  const seen: number[] = []
  const making = Promise.all(Array.from({ length: MADE }, () => makeSeller()))
  const watching = (async () => {
    for (let round = 0; round < 30; round += 1) {
      await Promise.all([foldTallies(database()), foldTallies(database())])
      seen.push((await countStats(visitor())).totalUsers)
    }
  })()
  await Promise.all([making, watching])
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect((await countStats(visitor())).totalUsers).toBe(before.totalUsers + MADE)
  await foldTallies(database())
  expect(await db().tally.count()).toBeLessThanOrEqual(200)
  expect((await countStats(visitor())).totalUsers).toBe(before.totalUsers + MADE)
  expect(await breaches()).toEqual([])
})

it('a wrong statistic is reported as a breach of the invariant I9', async () => {
  await db().tally.create({ data: { name: 'users', amount: 1 } })
  expect(await breaches()).toMatchObject([{ name: 'users' }])
})
