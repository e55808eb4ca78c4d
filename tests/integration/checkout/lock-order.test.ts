import { closeDatabase, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { systemContext } from '@/lib/infra/context'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { makeKeyedDrop, someKeys } from '@/tests/support/make-keyed-drop'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { payFor } from '@/tests/support/sell-units'
import { openCheckout, pay } from '@/tests/support/shop'
import { untilWaits } from '@/tests/support/until-waits'

examineMoneyAfterEach()
afterAll(closeDatabase)

it('a payment that is recorded a second time does not deadlock with a refund of the same order', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(2), { userId: seller.id })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  const { amountCents } = order
  let refunded: Promise<unknown> | undefined
  let paidAgain: Promise<unknown> | undefined
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "Drop" WHERE "id" = ${drop.id} FOR NO KEY UPDATE`
    const refund = { orderId: order.id, refundId: newId('ref'), amountCents, restockUnits: 1 }
    refunded = refundOrder(contextFor(actorOf(seller)), refund)
    expect(await untilWaits('"Drop" d WHERE d."keysGiven"', refunded)).toBe(true)
    // Another call has read the order before it was paid, and records the payment now. It locks the hold before the
    // drop.
    paidAgain = payFor({ ...order, orderId: order.id })
    expect(await untilWaits('"Hold"', paidAgain)).toBe(true)
  })
  expect(await Promise.all([refunded, paidAgain])).toEqual(['succeeded', 'already-paid'])
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 0, held: 0 })
})
