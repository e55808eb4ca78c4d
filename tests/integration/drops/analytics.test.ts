import { countTap } from '@/lib/checkout/choices/count-tap'
import { countView } from '@/lib/drops/analytics/count-view'
import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import type { VisitSource } from '@/lib/drops/rules'
import { flushCollectors } from '@/lib/infra/collector'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newId, newSecret } from '@/lib/kernel/id'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller, visitor, visitorFrom } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

type Seller = Awaited<ReturnType<typeof makeSeller>>

const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15'
const read = (seller: Seller, dropId: number) => getAnalytics(contextFor(actorOf(seller)), { dropId })

/** Simulates a visit from the given source that ends after the given step. */
async function visit(
  drop: { id: number; userId: number },
  source: VisitSource,
  upTo: 'view' | 'tap' | 'hold' | 'paid',
) {
  const ctx = visitor()
  const buyerToken = newSecret()
  countView(ctx, { dropId: drop.id, ownerId: drop.userId, userAgent, source })
  await flushCollectors()
  if (upTo === 'view') return
  if (upTo !== 'tap') await openCheckout(drop.id, { buyerToken })
  for (let press = 0; press < 2; press += 1) {
    countTap(ctx, { dropId: drop.id, buyerToken, userAgent })
    await flushCollectors()
  }
  if (upTo !== 'paid') return
  const sold = { state: 'sold', settledAt: new Date() } as const
  await db().hold.updateMany({ where: { dropId: drop.id, state: 'held' }, data: sold })
  await db().drop.update({ where: { id: drop.id }, data: { held: 0, sold: 1, purchases: 1 } })
}

it('counts views, buy taps, checkouts and sales separately, by hour and by source', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id })
  await visit(drop, 'instagram', 'paid')
  await visit(drop, 'instagram', 'hold')
  await visit(drop, 'tiktok', 'tap')
  await visit(drop, 'direct', 'view')
  const view = await read(seller, drop.id)
  expect(view).toMatchObject({ views: 4, purchases: 1, conversion: '25.0%', revenue: '24.00', revenueCents: 2400 })
  expect(view.run).toEqual({ views: 4, taps: 3, holds: 2, paid: 1 })
  expect(view.sources).toEqual([
    { source: 'instagram', views: 2, taps: 2, holds: 2, paid: 1 },
    expect.objectContaining({ views: 1 }),
    expect.objectContaining({ views: 1 }),
  ])
  // The drop has run for 23 hours, and hours without a visit are listed too.
  expect(view.hours.length).toBeGreaterThanOrEqual(23)
  expect(view.hours.reduce((sum, hour) => sum + hour.views, 0)).toBe(4)
})

it('counts open checkouts, checkouts that ended unpaid, and refused checkouts', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, quantity: 3 })
  // A refunded payment must not count as a checkout that ended unpaid.
  const paid = await openCheckout(drop.id)
  await pay(paid.url)
  await settleCheckout(systemContext('test'), paid.sessionId)
  const { id: orderId, amountCents } = await db().order.findUniqueOrThrow({
    where: { stripeSessionId: paid.sessionId },
  })
  const refund = { orderId, refundId: newId('ref'), amountCents, restockUnits: 1 }
  await refundOrder(contextFor(actorOf(seller)), refund)
  const { sessionId } = await openCheckout(drop.id)
  await openCheckout(drop.id)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await cancelCheckout(visitor(), order.token)
  await expect(openCheckout(drop.id, { quantity: 3 })).rejects.toMatchObject({ code: 'NOT_ENOUGH_LEFT' })
  await flushCollectors()
  const view = await read(seller, drop.id)
  expect(view.checkouts).toEqual({ open: 1, expired: 1, refused: 1 })
  expect(view.sources).toEqual([expect.objectContaining({ source: 'direct', holds: 3 })])
})

it('shows 0.0% without a view, and is available only to the owner on the Pro plan', async () => {
  const pro = await makeSeller({ plan: 'pro' })
  const free = await makeSeller()
  const [proDrop, freeDrop] = [await makeDrop({ userId: pro.id }), await makeDrop({ userId: free.id })]
  expect(await read(pro, proDrop.id)).toMatchObject({ views: 0, conversion: '0.0%', revenue: '0.00', sources: [] })
  await expect(read(pro, freeDrop.id)).rejects.toMatchObject({ status: 404 })
  await expect(read(free, freeDrop.id)).rejects.toMatchObject({ code: 'PLAN_REQUIRED', status: 403 })
  await expect(read(free, proDrop.id)).rejects.toMatchObject({ status: 404 })
})

it('counts no taps of the owner or bots, and with analytics switched off it counts no taps and only the source "direct"', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id })
  const tap = (ctx = visitor(), agent = userAgent) =>
    countTap(ctx, { dropId: drop.id, buyerToken: newSecret(), userAgent: agent })
  tap(contextFor(actorOf(seller)))
  tap(visitor(), 'curl/8.0')
  await flushCollectors()
  expect((await read(seller, drop.id)).run.taps).toBe(0)
  await db().user.update({ where: { id: seller.id }, data: { analytics: false } })
  await visit(drop, 'tiktok', 'tap')
  expect(await read(seller, drop.id)).toMatchObject({ run: { views: 1, taps: 0 }, sources: [{ source: 'direct' }] })
})

it('taps are counted even if a tap on a drop id that is too large for the database is collected with them', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id })
  countTap(visitor(), { dropId: drop.id, buyerToken: newSecret(), userAgent })
  countTap(visitor(), { dropId: 1e15, buyerToken: newSecret(), userAgent })
  await flushCollectors()
  expect((await read(seller, drop.id)).run).toMatchObject({ taps: 1 })
})

it('counts at most twenty taps of one network and drop a day, however many browsers it invents', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id })
  const ctx = visitor()
  const tapAs = (from: number, count: number) => {
    for (let at = from; at < from + count; at += 1) {
      countTap(ctx, { dropId: drop.id, buyerToken: newSecret(), userAgent: `${userAgent} Version/${at}` })
    }
    return flushCollectors()
  }
  await tapAs(0, 15)
  await tapAs(15, 30)
  await tapAs(45, 30)
  expect(await db().dropTap.count({ where: { dropId: drop.id } })).toBe(20)
  // Another network is counted.
  countTap(visitorFrom('203.0.113.77'), { dropId: drop.id, buyerToken: newSecret(), userAgent })
  await flushCollectors()
  expect(await db().dropTap.count({ where: { dropId: drop.id } })).toBe(21)
})
