import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { refundOrder, sendRefund } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, payAndSettle } from '@/tests/support/shop'
import { until } from '@/tests/support/until'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function sell() {
  const seller = await makeSeller()
  const { url, sessionId } = await openCheckout((await makeDrop({ userId: seller.id })).id)
  await payAndSettle(url, sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const said = { orderId: order.id, refundId: newId('ref'), amountCents: 1000, restockUnits: 0 }
  const atStripe = async () =>
    (await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data.map(
      ({ amount }) => amount,
    )
  return { ctx: contextFor(actorOf(seller)), order, said, atStripe }
}

it('a refund is made once, although an hour passes while Stripe still carries out the first request', async () => {
  const { ctx, said, atStripe } = await sell()
  const faultsLeft = async () => {
    const faults = await db().sandboxObject.findUniqueOrThrow({ where: { id: '~faults' } })
    return (faults.json as { api: { remaining: number } | null }).api?.remaining
  }
  await standIn()!.setFaults({
    api: { kind: 'slow', path: '/v1/refunds', remaining: 1, delayMs: 1_500 },
    deliveries: null,
  })
  const first = refundOrder(ctx, said)
  await until('slow call', async () => (await faultsLeft()) === 0)
  const anHourAgo = new Date(Date.now() - HOUR_MS - 1_000)
  await db().refund.update({ where: { id: said.refundId }, data: { createdAt: anHourAgo } })
  expect(await sendRefund(systemContext('test'), said.refundId)).toBe('succeeded')
  expect(await first).toBe('succeeded')
  expect(await atStripe()).toEqual([1000])
})

it('a second refund at Stripe with the id of a known one counts, too', async () => {
  const { ctx, order, said } = await sell()
  await refundOrder(ctx, said)
  await stripe().refunds.create({
    payment_intent: order.stripePaymentIntentId ?? '',
    amount: 400,
    metadata: { orderId: order.id, refundId: said.refundId },
  })
  await syncRefunds(systemContext('test'), order.id)
  await syncRefunds(systemContext('test'), order.id)
  const { refundedCents, refunds } = await db().order.findUniqueOrThrow({
    where: { id: order.id },
    include: { refunds: { orderBy: { createdAt: 'asc' } } },
  })
  expect(refundedCents).toBe(1400)
  expect(refunds.map(({ amountCents, requestedBy }) => [amountCents, requestedBy])).toEqual([
    [1000, `seller:${order.sellerId}`],
    [400, 'stripe'],
  ])
})
