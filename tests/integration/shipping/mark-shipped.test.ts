import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function paidOrder(productType: 'physical' | 'service' = 'physical') {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, productType })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { seller, ctx: contextFor(actorOf(seller)), order }
}

const input = (orderId: string) => ({ orderId, carrier: 'USPS', trackingNumber: '9400 1000' })

it('marking an order as shipped emails the buyer once and makes the payout due', async () => {
  const { ctx, order } = await paidOrder()
  const before = await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })
  expect(before.dueAt.getTime()).toBeGreaterThan(Date.now())
  await markShipped(ctx, input(order.id))
  await markShipped(ctx, { ...input(order.id), trackingNumber: '9400 2000' })
  expect(await db().order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({
    status: 'shipped',
    trackingNumber: '9400 2000',
  })
  expect(await db().outboxMail.count({ where: { dedupeKey: `shipped:${order.id}` } })).toBe(1)
  const after = await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })
  expect(after.dueAt.getTime()).toBeLessThanOrEqual(Date.now())
})

it('a seller cannot mark the order of another seller as shipped', async () => {
  const { order } = await paidOrder()
  const stranger = contextFor(actorOf(await makeSeller()))
  await expect(markShipped(stranger, input(order.id))).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  expect(await db().order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({ status: 'paid' })
})

it('an order with nothing to ship is refused with 409', async () => {
  const { ctx, order } = await paidOrder('service')
  await expect(markShipped(ctx, input(order.id))).rejects.toMatchObject({ code: 'NOT_SHIPPABLE', status: 409 })
})
