import { removeAccount } from '@/lib/closure/remove-account'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { refundClosedAccounts } from '@/lib/refunds/refund-closed-accounts'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

afterAll(closeDatabase)

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
