import { removeAccount } from '@/lib/closure/remove-account'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { refundClosedAccounts } from '@/lib/refunds/refund-closed-accounts'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

afterAll(closeDatabase)

it('records the refunds of closed accounts although other closed accounts have orders whose refunds are pending', async () => {
  const paid = async () => {
    const seller = await makeSeller()
    const [order] = await makePaidOrders(seller, [{}])
    return { seller, order: order! }
  }
  const all = await Promise.all(Array.from({ length: 70 }, paid))
  const closed = all.filter((_, at) => at % 2 === 0)
  const waiting = all.filter((_, at) => at % 2 === 1)
  // The platform's balance is too small, so Stripe keeps these refunds pending.
  const pending = { amountCents: 2400, platformFeeCents: 120, reason: '' }
  await db().refund.createMany({
    data: closed.map(({ order: { id, sellerId } }) => ({
      id: newId('ref'),
      orderId: id,
      requestedBy: `seller:${sellerId}`,
      stripeRefundId: `re_${id}`,
      ...pending,
    })),
  })
  const ids = all.map(({ seller }) => seller.id)
  await db().user.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } })
  // Each call handles 20 accounts.
  for (let call = 0; call < 2; call += 1) await refundClosedAccounts(systemContext('test'))
  const orderId = { in: waiting.map(({ order }) => order.id) }
  expect(await db().refund.count({ where: { orderId, requestedBy: 'closure' } })).toBe(35)
})

it('removes a seller with hundreds of open orders, and the sweep records the refunds that are left', async () => {
  const seller = await makeSeller()
  const orders = await makePaidOrders(
    seller,
    Array.from({ length: 310 }, () => ({})),
  )
  await removeAccount(contextFor(actorOf(await makeSeller({ isAdmin: true }))), seller.id)
  const count = () => db().refund.count({ where: { orderId: { in: orders.map(({ id }) => id) } } })
  expect(await count()).toBe(300)
  await refundClosedAccounts(systemContext('test'))
  expect(await count()).toBe(310)
})
