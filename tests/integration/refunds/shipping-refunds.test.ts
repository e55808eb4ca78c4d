import { findEdition } from '@/lib/drops/editions/edition-queries'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newId, newSecret } from '@/lib/kernel/id'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { nudgeLateShipping } from '@/lib/shipping/nudge-late-shipping'
import { refundOrder } from '@/lib/refunds/refund-order'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { findNextToShip, listSellerOrders } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { payEmbedded } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const toShip = sellerOrderFilterSchema.parse({ show: 'ship' })

/**
 * Makes a drop whose surcharge is larger than the price of a unit. `refund` refunds one of its orders as the seller.
 */
async function makeZoned(overrides: Parameters<typeof makeDrop>[0] = {}) {
  const owner = await makeSeller({ plan: 'pro' })
  const shippingZones = [{ cents: 3000, countries: ['DE'] }]
  const drop = await makeDrop({ userId: owner.id, shippingZones, ...overrides })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  const seller = contextFor(actorOf(owner))
  const refund = (orderId: string, amountCents: number, restockUnits = 0, isForShipping = false) =>
    refundOrder(seller, { orderId, refundId: newId('ref'), amountCents, restockUnits, isForShipping })
  return { drop, seller, refund }
}

async function buy(dropId: number, quantity: number, email: string) {
  const order = { dropId, quantity, buyerToken: newSecret() }
  const { clientSecret } = await startEmbeddedCheckout(visitor(), order)
  const berlin = { country: 'DE', city: 'Berlin', postalCode: '10115', line1: 'Lange Straße 1' }
  await payEmbedded(clientSecret, { email, ...berlin })
  const outcome = await settleCheckout(systemContext('test'), clientSecret.split('_secret_')[0] ?? '')
  const { id } = await db().order.findFirstOrThrow({ where: { dropId }, orderBy: { createdAt: 'desc' } })
  return { id, outcome }
}

it('a refund marked as shipping retires no number and puts no unit back on sale', async () => {
  const { drop, seller, refund } = await makeZoned({ isNumbered: true })
  const { id } = await buy(drop.id, 2, 'a@example.com')
  await expect(refund(id, 3001, 0, true)).rejects.toMatchObject({ code: 'REFUND_ABOVE_SHIPPING' })
  await refund(id, 3000, 0, true)
  const mails = await db().outboxMail.findMany({ where: { to: 'a@example.com', dedupeKey: { contains: 'refund' } } })
  expect(mails.map(({ text }) => /retired/i.test(text))).toEqual([false])
  await expect(refund(id, 1, 0, true)).rejects.toMatchObject({ code: 'REFUND_ABOVE_SHIPPING' })
  expect(await findEdition(db(), id)).toMatchObject({ numbers: [1, 2], retired: [] })
  expect(await getSellerOrder(seller, drop.userId, id)).toMatchObject({ isToShip: true, status: 'paid' })
  // A refund of one unit's price retires one number and not two, although $54.00 of $78.00 is then refunded.
  await refund(id, 2400)
  expect(await findEdition(db(), id)).toMatchObject({ retired: [2] })
  await refund(id, 2400)
  expect(await findEdition(db(), id)).toMatchObject({ retired: [1, 2] })
  expect(await getSellerOrder(seller, drop.userId, id)).toMatchObject({ isToShip: false, status: 'refunded' })

  const other = await makeZoned()
  const order = await buy(other.drop.id, 2, 'b@example.com')
  await expect(other.refund(order.id, 3000, 1, true)).rejects.toMatchObject({ code: 'RESTOCK_TOO_MANY' })
  await other.refund(order.id, 3000, 0, true)
  await expect(other.refund(order.id, 2399, 1)).rejects.toMatchObject({ code: 'RESTOCK_TOO_MANY' })
  await other.refund(order.id, 2400, 1)
  expect(await db().drop.findUniqueOrThrow({ where: { id: other.drop.id } })).toMatchObject({ sold: 1 })
})

it('an order whose units were refunded without the surcharge is neither to be shipped nor late nor counted as bought', async () => {
  const { drop, seller, refund } = await makeZoned({ maxPerBuyer: 2 })
  const { id } = await buy(drop.id, 2, 'c@example.com')
  await refund(id, 4799)
  expect(await listSellerOrders(seller, drop.userId, toShip)).toMatchObject([{ id, isToShip: true }])
  expect((await buy(drop.id, 2, 'c@example.com')).outcome).toBe('refunded')
  await refund(id, 1)
  expect(await listSellerOrders(seller, drop.userId, toShip)).toEqual([])
  expect(await findNextToShip(seller, drop.userId)).toBeNull()
  expect(await getSellerOrder(seller, drop.userId, id)).toMatchObject({ isToShip: false, status: 'paid' })
  await db().order.update({ where: { id }, data: { paidAt: new Date(Date.now() - 30 * 86_400_000), shipsBy: null } })
  await nudgeLateShipping(systemContext('test'))
  expect(await db().order.findUniqueOrThrow({ where: { id } })).toMatchObject({ shipNudgedAt: null })
  expect((await buy(drop.id, 2, 'c@example.com')).outcome).toBe('paid')
})
