import { closeDatabase, database, db } from '@/lib/infra/db'
import { visitor } from '../../support/factories'
import { HOUR_MS } from '@/lib/kernel/time'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { feeCentsSql } from '@/lib/checkout/settlement/fee-cents-sql'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { toOrderSummaryView } from '@/lib/orders/view'
import { makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'

examineMoneyAfterEach()
afterAll(closeDatabase)

const take = (dropId: number, quantity = 1, buyerKey = newSecret()) =>
  takeHold(visitor(), { dropId, quantity, buyerKey, mode: 'hosted', holdMs: 60_000 })

const stock = async (id: number) => {
  const { quantity, sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { quantity, sold, held }
}

it('gives exactly 10 holds when 200 buyers want the 10 units of a drop at the same time', async () => {
  const drop = await makeDrop({ quantity: 10 })
  const holds = await Promise.all(Array.from({ length: 200 }, () => take(drop.id)))
  expect(holds.filter(Boolean)).toHaveLength(10)
  expect(await stock(drop.id)).toEqual({ quantity: 10, sold: 0, held: 10 })
})

it('stores price, fee and payout in the order, so that a later change of plan does not change them', async () => {
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

it('calculates the exact fee of 100,000 random prices, at both rates, to the cent', async () => {
  const [sum] = await database().sql<{ prices: number; wrong: number }>(
    'random-prices',
    `SELECT count(*)::int AS "prices",
            (count(*) FILTER (WHERE "fee" <> round("amount"::numeric * "feeBps" / 10000)))::int AS "wrong"
       FROM (SELECT p."amount", f."feeBps", ${feeCentsSql('p."amount"', 'f."feeBps"')} AS "fee"
               FROM (SELECT 50 + floor(random() * 99999950)::int AS "amount" FROM generate_series(1, 100000)) p,
                    (VALUES (300), (500)) f("feeBps")) priced`,
  )
  expect(sum).toEqual({ prices: 200_000, wrong: 0 })
})

it('charges an administrator the pro fee, and the order names the plan "admin"', async () => {
  const admin = await makeSeller({ isAdmin: true })
  const hold = await take((await makeDrop({ userId: admin.id })).id)
  const order = await db().order.findUniqueOrThrow({ where: { id: hold?.orderId ?? '' } })
  expect(order.platformFeeBps).toBe(300)
  expect(toOrderSummaryView(order)).toMatchObject({ platformFeePercentage: 3, sellerPlan: 'admin' })
  expect(toOrderSummaryView({ ...order, platformFeeBps: 500 })).toMatchObject({ sellerPlan: 'free' })
})

test.each([
  ['past its end time', { endTime: new Date(Date.now() - 1) }],
  ['archived', { archivedAt: new Date() }],
  ['hidden', { hiddenAt: new Date() }],
  ['inactive', { isActive: false }],
  ['in review', { moderation: 'review' as const }],
  ['sold out', { quantity: 2, sold: 2 }],
  ['completely in checkout', { quantity: 2, held: 2 }],
])('places no hold on a drop that is %s', async (_name, change) => {
  const drop = await makeDrop({ startedAt: new Date(Date.now() - 30 * HOUR_MS), ...change })
  const before = await stock(drop.id)
  expect(await take(drop.id)).toBeNull()
  expect(await stock(drop.id)).toEqual(before)
  expect(await db().hold.count({ where: { dropId: drop.id } })).toBe(0)
})

it("places no hold on a suspended seller's drop until the suspension has ended", async () => {
  const seller = await makeSeller({ isSuspended: true })
  const drop = await makeDrop({ userId: seller.id })
  expect(await take(drop.id)).toBeNull()
  await db().user.update({ where: { id: seller.id }, data: { suspendedUntil: new Date(Date.now() - 1) } })
  expect(await take(drop.id)).not.toBeNull()
})

it('never holds more units than are left', async () => {
  const drop = await makeDrop({ quantity: 5 })
  expect(await take(drop.id, 4)).not.toBeNull()
  expect(await take(drop.id, 2)).toBeNull()
  expect(await take(drop.id, 1)).not.toBeNull()
})

it('a buyer who sends 20 simultaneous requests for a drop gets one hold', async () => {
  const drop = await makeDrop()
  const buyer = newSecret()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take(drop.id, 1, buyer)))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect((await stock(drop.id)).held).toBe(1)
})

it('releasing a hold several times at once puts its units back on sale once', async () => {
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
