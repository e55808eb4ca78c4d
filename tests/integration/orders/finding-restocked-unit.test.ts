import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { refundOrder } from '@/lib/orders/refund-order'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { deliverEvents, openCheckout, payAndSettle } from '@/tests/support/shop'

afterAll(closeDatabase)

const FAILING_REFUND = '4000000000005126'

it('a unit that went back on sale is taken off sale again when the bank rejects the refund', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, quantity: 1 })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, FAILING_REFUND)
  const { id: orderId } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const all = { orderId, refundId: newId('ref'), amountCents: 2400, restockUnits: 1 }
  expect(await refundOrder(contextFor(actorOf(seller)), all)).toBe('succeeded')
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 0 })
  await standIn()!.settleDue()
  await deliverEvents()
  expect(await db().order.findUniqueOrThrow({ where: { id: orderId } })).toMatchObject({ status: 'paid' })
  // The first buyer has the only unit again, so nobody else may buy it.
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 1 })
  await expect(openCheckout(drop.id)).rejects.toMatchObject({ code: 'SOLD_OUT' })
})
