import { findShownDrop } from '@/lib/drops/history/history-queries'
import { findPublicDrop, listSellerDrops } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db, pool } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { getRecap } from '@/lib/payouts/get-recap'
import { storage } from '@/lib/infra/storage'
import { newId } from '@/lib/kernel/id'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { refundOrder } from '@/lib/refunds/refund-order'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { planRules } from '@/lib/plans/rules'
import { demoDrops, demoSellers } from '@/prisma/seed/demo-data'
import { seedDrop, storeDigitalFile } from '@/prisma/seed/seed-drop'
import { seedOrders } from '@/prisma/seed/seed-orders'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { onboard } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function seeded(key: string) {
  const seller = await makeSeller()
  const demo = demoDrops.find((drop) => drop.key === key)!
  const drop = await db().$transaction(async (tx) => {
    const row = await seedDrop(tx, seller.id, demo, { photos: [], file: null })
    await seedOrders(tx, row, demo, seller)
    return row
  })
  return { seller, drop, demo }
}

it('an order of the demo can be refunded in parts, like a real order', async () => {
  const { seller, drop, demo } = await seeded('mug-spring')
  const [order] = await db().order.findMany({ where: { dropId: drop.id } })
  const part = (amountCents: number) => ({
    orderId: order!.id,
    refundId: newId('ref'),
    amountCents,
    restockUnits: 0,
  })
  const ctx = contextFor(actorOf(seller))
  expect(await refundOrder(ctx, part(1_000))).toBe('succeeded')
  expect(await refundOrder(ctx, part(demo.priceCents - 1_000))).toBe('succeeded')
  const refunded = await db().order.findUniqueOrThrow({ where: { id: order!.id } })
  expect(refunded).toMatchObject({ status: 'refunded', refundedCents: demo.priceCents })
})

it('makes the payouts of shipped demo orders due', async () => {
  const { drop } = await seeded('mug')
  const transfers = await db().transfer.findMany({ where: { order: { dropId: drop.id } }, include: { order: true } })
  const isDue = ({ dueAt }: { dueAt: Date }) => dueAt <= new Date()
  expect(transfers.filter(isDue).map(({ order }) => order.status)).toEqual(['shipped', 'shipped', 'shipped'])
  expect(transfers.filter((transfer) => !isDue(transfer)).every(({ order }) => order.status === 'paid')).toBe(true)
})

it('stores the demo’s digital file, so that buyers can download it', async () => {
  const file = await storeDigitalFile('quiet-light-presets.zip')
  const opened = await storage().open(file.storageKey)
  expect({ bytes: opened?.size, type: opened?.contentType }).toEqual({ bytes: file.bytes, type: 'application/zip' })
  await opened?.body.cancel()
})

it('pays out the sales of the demo, and sends no webhooks about their payments', async () => {
  const { seller, demo } = await seeded('mug-spring')
  const ctx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(ctx), 'finish')
  await refreshPayouts(ctx, seller.id)
  await sendTransfers(ctx, seller.id)
  expect(await db().transfer.count({ where: { sellerId: seller.id, state: 'sent' } })).toBe(demo.sold)
  expect(await db().sandboxDelivery.count({ where: { payload: { contains: 'payment_intent.succeeded' } } })).toBe(0)
})

it('has a scheduled drop with choices, numbers, early access, zones, a code and a limit per buyer', async () => {
  const { drop } = await seeded('candle-winter')
  const view = toDropView((await findPublicDrop(database(), drop.uniqueId))!)
  expect(view).toMatchObject({ state: 'upcoming', isNumbered: true, hasCodes: true, maxPerBuyer: 4, sold: 0 })
  expect(view.option?.values.map(({ value, left }) => [value, left])).toEqual([
    ['Small', 24],
    ['Large', 16],
  ])
  expect([view.shippingZones?.length, view.publicUnits]).toEqual([2, 28])
  expect(Date.parse(view.startedAt) - Date.parse(view.earlyStartsAt!)).toBe(HOUR_MS)
})

it('has an open edition with two choices, which share its cap', async () => {
  const { drop } = await seeded('vinyl-open')
  const view = toDropView((await findPublicDrop(database(), drop.uniqueId))!)
  expect(view).toMatchObject({ state: 'live', isOpenEdition: true, quantity: 500, sold: 42 })
  expect(view.option?.values.map(({ value, left }) => [value, left])).toEqual([
    ['Blue', 458],
    ['Black', 458],
  ])
})

it('has a code that two buyers used, and their orders cost less', async () => {
  const { drop, demo } = await seeded('mug')
  const code = await db().discountCode.findFirstOrThrow({ where: { dropId: drop.id } })
  expect(code).toMatchObject({ code: 'FRIENDS', used: 2, discountedCents: BigInt(2 * 680) })
  const discounted = await db().order.findMany({ where: { dropId: drop.id, discountCode: 'FRIENDS' } })
  expect(discounted.map(({ unitPriceCents }) => unitPriceCents)).toEqual([demo.priceCents - 680, demo.priceCents - 680])
})

it('has a parcel that is late, whose buyer is asked whether to wait', async () => {
  const { drop } = await seeded('mug-spring')
  await askAboutDelays(systemContext('test'))
  expect(await db().shippingDelay.findMany({ where: { order: { dropId: drop.id } } })).toEqual([
    expect.objectContaining({ answeredAt: null }),
  ])
})

it('has people who wait for a unit, for one choice, and for the next run', async () => {
  const waiting = async (key: string) => {
    const { seller } = await seeded(key)
    return (await listSellerDrops(database(), seller.id))[0]?.waiting
  }
  expect(await waiting('enamel-pins')).toMatchObject({ unit: 14, nextRun: 0 })
  expect(await waiting('beanie')).toMatchObject({ unit: 6, values: [{ value: 'Berry', waiting: 6 }] })
  expect(await waiting('hot-sauce-trio')).toMatchObject({ unit: 0, nextRun: 23 })
})

it('has runs to which units and, after an outage, hours were added', async () => {
  const changesOf = async (key: string) => {
    const { drop } = await seeded(key)
    return (await findShownDrop(database(), drop.uniqueId))!.history?.changes
  }
  expect(JSON.stringify(await changesOf('riso-poster'))).toContain('"units"')
  expect(JSON.stringify(await changesOf('hot-sauce'))).toContain('"outage"')
})

it('leaves Juno room for a drop, so that a newcomer can publish one', () => {
  const isRunning = ({ endsInHours }: (typeof demoDrops)[number]) => endsInHours > 0
  const free = demoSellers.map((seller) => {
    const running = demoDrops.filter((drop) => drop.seller === seller.key && isRunning(drop)).length
    return [seller.key, planRules({ plan: seller.plan, isAdmin: false }).activeDrops - running] as const
  })
  expect(free.filter(([, places]) => places < 0)).toEqual([])
  expect(Object.fromEntries(free).juno).toBe(1)
})

it('has a drop in its second run, whose first run has orders of its own', async () => {
  const { drop, demo, seller } = await seeded('hot-sauce')
  const { run, history } = (await findShownDrop(database(), drop.uniqueId))!
  expect([run, history?.previous]).toMatchObject([2, { sold: 21, quantity: 24 }])
  const sold = await db().hold.groupBy({ by: ['run'], where: { dropId: drop.id, state: 'sold' }, _count: true, orderBy: { run: 'asc' } }) // prettier-ignore
  expect(sold.map(({ run: of, _count }) => [of, _count])).toEqual([
    [1, demo.earlierRun!.sold],
    [2, demo.sold],
  ])
  const recap = await getRecap(database(), { sellerId: seller.id, dropId: drop.id, run: 1 })
  expect(recap).toMatchObject({
    sold: demo.earlierRun!.sold,
    money: { paidCents: demo.earlierRun!.sold * demo.priceCents },
  })
  expect((await checkInvariants(pool())).flatMap(({ breaches }) => breaches)).toEqual([])
})
