// Units that went back on sale with a refund, which the bank rejects afterwards (docs/product.md#refunds).
import type { Drop, Prisma, User } from '@prisma/client'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { makeKeyedDrop, someKeys } from '@/tests/support/make-keyed-drop'
import { rejectRefund } from '@/tests/support/reject-refund'
import { deliverEvents, openCheckout, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const FAILING_REFUND = '4000000000005126'
const PRICE = 2400

/** Sells units of a drop for a card whose refunds the bank rejects later. */
async function sell({ seller, drop }: { seller: User; drop: Drop }, quantity: number, size?: string) {
  const variants: Record<string, string> = size === undefined ? {} : { Size: size }
  const { url, sessionId } = await openCheckout(drop.id, { quantity, selectedVariants: variants })
  await payAndSettle(url, sessionId, FAILING_REFUND)
  const { id, token } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const refund = (restockUnits: number) =>
    refundOrder(contextFor(actorOf(seller)), {
      ...{ orderId: id, refundId: newId('ref'), amountCents: restockUnits * PRICE, restockUnits },
    })
  return { id, token, refund }
}

/** A drop of a new seller, with its run. */
async function shop(fields: Partial<Prisma.DropUncheckedCreateInput>) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, ...fields })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  return { seller, drop }
}

async function letRefundsFail() {
  await standIn()!.settleDue()
  await deliverEvents()
}

const dropNow = (id: number) =>
  db().drop.findUniqueOrThrow({ where: { id }, include: { runs: true, values: { orderBy: { position: 'asc' } } } })
const mailTo = async ({ email }: User) =>
  (await db().outboxMail.findFirstOrThrow({ where: { to: email, subject: { startsWith: 'Refund failed' } } })).text

it('a unit that went back on sale is taken off sale again when the bank rejects the refund', async () => {
  const { seller, drop } = await shop({ quantity: 1 })
  const order = await sell({ seller, drop }, 1)
  expect(await order.refund(1)).toBe('succeeded')
  expect(await dropNow(drop.id)).toMatchObject({ sold: 0 })
  await letRefundsFail()
  expect(await db().order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({ status: 'paid' })
  // The first buyer has the only unit again, so nobody else may buy it.
  expect(await dropNow(drop.id)).toMatchObject({ sold: 1, purchases: 1, runs: [{ sold: 1 }] })
  await expect(openCheckout(drop.id)).rejects.toMatchObject({ code: 'SOLD_OUT' })
  expect(await mailTo(seller)).toContain('The unit that went back on sale with this refund is off sale again.')
  // However often Stripe reports the failure, the unit is taken once.
  await Promise.all([1, 2].map(() => syncRefunds(systemContext('test'), order.id)))
  expect(await dropNow(drop.id)).toMatchObject({ sold: 1 })
})

it('only free units are taken, and the seller reads how many may have been sold again', async () => {
  const { seller, drop } = await shop({ quantity: 3 })
  const order = await sell({ seller, drop }, 3)
  await order.refund(3)
  await openCheckout(drop.id, { quantity: 2 })
  await letRefundsFail()
  expect(await dropNow(drop.id)).toMatchObject({ sold: 1, held: 2 })
  const text = await mailTo(seller)
  expect(text).toContain('The unit that went back on sale with this refund is off sale again.')
  expect(text).toContain('2 units that went back on sale with this refund may have been sold again.')
})

it('a refund that succeeded keeps its units on sale when another refund of the order is rejected', async () => {
  const { seller, drop } = await shop({ quantity: 3 })
  const order = await sell({ seller, drop }, 3)
  await order.refund(1)
  await order.refund(1)
  const [first] = await db().refund.findMany({ where: { orderId: order.id }, orderBy: { createdAt: 'asc' } })
  await rejectRefund(first!.stripeRefundId!, order.id)
  expect(await dropNow(drop.id)).toMatchObject({ sold: 2, runs: [{ sold: 2 }] })
})

it('units of an option are taken from their value', async () => {
  const values = ['Small', 'Large'].map((value, position) => ({ value, position, quantity: 2 }))
  const { seller, drop } = await shop({ quantity: 4, optionName: 'Size', values: { create: values } })
  const order = await sell({ seller, drop }, 2, 'Small')
  await order.refund(2)
  await openCheckout(drop.id, { selectedVariants: { Size: 'Small' } })
  await letRefundsFail()
  expect(await dropNow(drop.id)).toMatchObject({
    ...{ sold: 1, held: 1 },
    values: [
      { sold: 1, held: 1 },
      { sold: 0, held: 0 },
    ],
  })
})

it('no unit is taken from a later run of the drop', async () => {
  const { seller, drop } = await shop({ quantity: 1 })
  const order = await sell({ seller, drop }, 1)
  await order.refund(1)
  const ended = new Date(Date.now() - 25 * HOUR_MS)
  const times = { startedAt: new Date(ended.getTime() - 24 * HOUR_MS), endTime: ended }
  await db().drop.update({ where: { id: drop.id }, data: { ...times, archivedAt: ended, isActive: false } })
  await db().dropRun.updateMany({ where: { dropId: drop.id }, data: times })
  await relaunchDrop(contextFor(actorOf(seller)), { dropId: drop.id, duration: 24, quantity: 5 })
  await letRefundsFail()
  expect(await dropNow(drop.id)).toMatchObject({ run: 2, quantity: 5, sold: 0 })
  expect(await mailTo(seller)).toContain('One unit that went back on sale with this refund may have been sold again.')
})

it('an order whose key went back into the pool gets a key again, because its unit is taken off sale first', async () => {
  const seller = await makeSeller()
  const drop = await makeKeyedDrop(someKeys(1), { userId: seller.id })
  const order = await sell({ seller, drop }, 1)
  await order.refund(1)
  expect(await db().dropKey.count({ where: { dropId: drop.id, orderId: null } })).toBe(1)
  await letRefundsFail()
  expect(await dropNow(drop.id)).toMatchObject({ sold: 1 })
  expect((await findBuyerOrder(db(), order.token))?.keys).toEqual({ shown: [], hidden: 1 })
})
