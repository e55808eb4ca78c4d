import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { confirmArrival } from '@/lib/shipping/confirm-arrival'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { markDelivered } from '@/lib/shipping/mark-delivered'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { listSellerOrders } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function sold(productType: 'physical' | 'service' | 'digital' = 'physical', card?: string) {
  const seller = await makeSeller({ plan: 'pro' })
  const drop = await makeDrop({ userId: seller.id, productType })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url, card)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const ctx = contextFor(actorOf(seller))
  const ship = () => markShipped(ctx, { orderId: order.id, carrier: 'DHL', trackingNumber: '1' })
  const readOrder = () => db().order.findUniqueOrThrow({ where: { id: order.id }, include: { transfer: true } })
  return { seller, ctx, order, ship, readOrder, arrive: () => confirmArrival(visitor(), { token: order.token }) }
}
const countDeliveredMails = (id: string) => db().outboxMail.count({ where: { dedupeKey: `delivered:${id}` } })

it('a shipped order becomes delivered once when buyer and seller confirm it at the same moment, and no money moves', async () => {
  const { seller, ctx, order, ship, readOrder, arrive } = await sold()
  await expect(arrive()).rejects.toMatchObject({ code: 'NOT_COMPLETABLE', status: 409 })
  await ship()
  const before = await readOrder()
  await Promise.all([arrive(), arrive(), markDelivered(ctx, { orderId: order.id })])
  const after = await readOrder()
  expect(after).toMatchObject({ status: 'delivered', transfer: before.transfer })
  await arrive()
  expect((await readOrder()).deliveredAt).toEqual(after.deliveredAt)
  const listed = async (show: string) => {
    const filter = sellerOrderFilterSchema.parse({ show })
    return (await listSellerOrders(database(), seller.id, filter)).map(({ id }) => id)
  }
  expect([await listed('delivered'), await listed('shipped')]).toEqual([[order.id], []])
  expect((await getEvidence(ctx, order.id)).text).toMatch(
    /Delivered \((the buyer confirmed it|reported by the seller)\)/,
  )
})

it('after a seller marks an order as delivered, the buyer gets one email and is no longer asked to confirm the delivery', async () => {
  const { ctx, order, ship, readOrder } = await sold()
  await ship()
  expect((await findBuyerOrder(db(), order.token))?.completion).toBe('delivered')
  await Promise.all([1, 2, 3].map(() => markDelivered(ctx, { orderId: order.id })))
  expect(await readOrder()).toMatchObject({ status: 'delivered', deliveredBy: 'seller' })
  expect(await countDeliveredMails(order.id)).toBe(1)
  const page = await findBuyerOrder(db(), order.token)
  expect(page?.completion).toBeNull()
  expect(page?.timeline.at(-1)?.text).toBe('Delivered (reported by the seller)')
  // A delivered order cannot be marked as shipped again.
  await expect(ship()).rejects.toMatchObject({ code: 'NOT_SHIPPABLE' })
})

it('a buyer can confirm a service, but not a digital order', async () => {
  const service = await sold('service')
  await service.arrive()
  expect(await service.readOrder()).toMatchObject({ status: 'done', deliveredBy: 'buyer' })
  expect(await countDeliveredMails(service.order.id)).toBe(0)
  const file = await sold('digital')
  await expect(file.arrive()).rejects.toMatchObject({ code: 'NOT_COMPLETABLE' })
  expect(await file.readOrder()).toMatchObject({ status: 'paid', deliveredAt: null })
})

it.each(['physical', 'service'] as const)('a completed %s order can still be refunded in parts', async (type) => {
  const { ctx, order, ship, readOrder, arrive } = await sold(type)
  if (type === 'physical') await ship()
  await arrive()
  const status = type === 'physical' ? 'delivered' : 'done'
  const refund = (amountCents: number) =>
    refundOrder(ctx, { orderId: order.id, refundId: newId('ref'), amountCents, restockUnits: 0 })
  await refund(1000)
  expect(await readOrder()).toMatchObject({ status, refundedCents: 1000 })
  await refund(1400)
  expect(await readOrder()).toMatchObject({ status: 'refunded', refundedCents: 2400 })
})

it('another seller cannot complete an order, and the buyer cannot complete it during a dispute', async () => {
  const { order, ship, readOrder } = await sold()
  await ship()
  const stranger = contextFor(actorOf(await makeSeller()))
  await expect(markDelivered(stranger, { orderId: order.id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  expect(await readOrder()).toMatchObject({ status: 'shipped' })
  await db().order.update({ where: { id: order.id }, data: { status: 'disputed' } })
  await expect(confirmArrival(visitor(), { token: order.token })).rejects.toMatchObject({ code: 'NOT_COMPLETABLE' })
  expect(await readOrder()).toMatchObject({ status: 'disputed', deliveredAt: null })
})
