import { closeDatabase, database, db } from '@/lib/infra/db'
import { visitor } from '../../support/factories'
import { HOUR_MS } from '@/lib/kernel/time'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/orders/release-hold'
import { feeCentsSql, takeHold } from '@/lib/orders/take-hold'
import { makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/money-audit'

examineMoneyAfterEach()
afterAll(closeDatabase)

const take = (dropId: number, quantity = 1, buyerKey = newSecret()) =>
  takeHold(visitor(), { dropId, quantity, buyerKey, mode: 'hosted', holdMs: 60_000 })

const stock = async (id: number) => {
  const { quantity, sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { quantity, sold, held }
}

it('gives exactly 10 holds to 200 simultaneous buyers of 10 units', async () => {
  const drop = await makeDrop({ quantity: 10 })
  const holds = await Promise.all(Array.from({ length: 200 }, () => take(drop.id)))
  expect(holds.filter(Boolean)).toHaveLength(10)
  expect(await stock(drop.id)).toEqual({ quantity: 10, sold: 0, held: 10 })
})

it('fixes price, fee and payout on the order', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, priceCents: 1999 })
  const hold = await take(drop.id, 3)
  await db().user.update({ where: { id: seller.id }, data: { plan: 'free' } })
  const order = await db().order.findUniqueOrThrow({ where: { id: hold?.orderId ?? '' } })
  expect(order).toMatchObject({
    status: 'pending',
    quantity: 3,
    amountCents: 5997,
    platformFeeBps: 300,
    platformFeeCents: 180,
    sellerPayoutCents: 5817,
    sellerPlan: 'pro',
  })
})

it('calculates the exact fee of a million random prices, at both rates, to the cent', async () => {
  const [sum] = await database().sql<{ prices: number; wrong: number }>(
    'a-million-prices',
    `SELECT count(*)::int AS "prices",
            (count(*) FILTER (WHERE "fee" <> round("amount"::numeric * "feeBps" / 10000)))::int AS "wrong"
       FROM (SELECT p."amount", f."feeBps", ${feeCentsSql('p."amount"', 'f."feeBps"')} AS "fee"
               FROM (SELECT 50 + floor(random() * 99999950)::int AS "amount" FROM generate_series(1, 1000000)) p,
                    (VALUES (300), (500)) f("feeBps")) priced`,
  )
  expect(sum).toEqual({ prices: 2_000_000, wrong: 0 })
})

it('charges an administrator the pro fee', async () => {
  const admin = await makeSeller({ isAdmin: true })
  const hold = await take((await makeDrop({ userId: admin.id })).id)
  const order = await db().order.findUniqueOrThrow({ where: { id: hold?.orderId ?? '' } })
  expect(order.platformFeeBps).toBe(300)
})

test.each([
  ['over by the clock', { endTime: new Date(Date.now() - 1) }],
  ['archived', { archivedAt: new Date() }],
  ['hidden', { hiddenAt: new Date() }],
  ['inactive', { isActive: false }],
  ['in review', { moderation: 'review' as const }],
  ['sold out', { quantity: 2, sold: 2 }],
  ['all in checkout', { quantity: 2, held: 2 }],
])('refuses a drop that is %s', async (_name, change) => {
  const drop = await makeDrop({ startedAt: new Date(Date.now() - 30 * HOUR_MS), ...change })
  const before = await stock(drop.id)
  expect(await take(drop.id)).toBeNull()
  expect(await stock(drop.id)).toEqual(before)
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
})

it('refuses a suspended seller, until the suspension is over', async () => {
  const seller = await makeSeller({ isSuspended: true })
  const drop = await makeDrop({ userId: seller.id })
  expect(await take(drop.id)).toBeNull()
  await db().user.update({ where: { id: seller.id }, data: { suspendedUntil: new Date(Date.now() - 1) } })
  expect(await take(drop.id)).not.toBeNull()
})

it('never gives more units than are left', async () => {
  const drop = await makeDrop({ quantity: 5 })
  expect(await take(drop.id, 4)).not.toBeNull()
  expect(await take(drop.id, 2)).toBeNull()
  expect(await take(drop.id, 1)).not.toBeNull()
})

it('holds once per buyer and drop', async () => {
  const drop = await makeDrop()
  const buyer = newSecret()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take(drop.id, 1, buyer)))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect((await stock(drop.id)).held).toBe(1)
})

it('releases units once, also when it is called several times', async () => {
  const drop = await makeDrop({ quantity: 3 })
  const hold = await take(drop.id, 2)
  const released = await Promise.all(
    Array.from({ length: 20 }, () => releaseHold(visitor(), hold?.holdId ?? '', 'expired')),
  )
  expect(released.filter(Boolean)).toHaveLength(1)
  expect(await stock(drop.id)).toEqual({ quantity: 3, sold: 0, held: 0 })
  expect(await db().order.findUniqueOrThrow({ where: { id: hold?.orderId ?? '' } })).toMatchObject({
    status: 'expired',
  })
})

it('the database refuses a statement that would oversell', async () => {
  const drop = await makeDrop({ quantity: 2 })
  await expect(db().drop.update({ where: { id: drop.id }, data: { sold: 1, held: 2 } })).rejects.toThrow()
})
