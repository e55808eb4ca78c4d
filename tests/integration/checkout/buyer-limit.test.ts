import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { forgetOrigins } from '@/lib/checkout/hold/forget-origins'
import { standIn } from '@/lib/infra/stripe'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { listSellerOrders } from '@/lib/orders/seller-queries'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { refundOrder } from '@/lib/refunds/refund-order'
import { refundUnfulfillable } from '@/lib/refunds/refund-unfulfillable'
import { newId, newSecret } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeDrop, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, startBuying } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const VISA = '4242424242424242'
const OTHER_CARD = '4000000000000341'
const jobContext = () => systemContext('test')

async function payAs(url: string, email: string, cardNumber = VISA) {
  const body = JSON.stringify({ email, cardNumber, name: 'Bea Buyer' })
  const answer = await standIn()!.pages(
    new Request(`${url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  )
  return answer.status
}

/** Buys with the given email address and card. @returns the outcome of settling the checkout. */
async function buyAs(dropId: number, email: string, { quantity = 1, cardNumber = VISA } = {}) {
  const { url, sessionId } = await openCheckout(dropId, { quantity })
  await payAs(url, email, cardNumber)
  return settleCheckout(jobContext(), sessionId)
}

const sold = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).sold

it('a drop has no limit per buyer unless the seller sets one', async () => {
  const drop = await makeDrop({ quantity: 40 })
  expect(await buyAs(drop.id, 'bea@example.com', { quantity: 3 })).toBe('paid')
  expect(await buyAs(drop.id, 'bea@example.com', { quantity: 3 })).toBe('paid')
})

it('refuses a further large checkout from a network while large ones are open, and never small ones', async () => {
  const start = (network: string, dropId: number) =>
    startBuying(visitorFrom(network), { dropId, quantity: 1, buyerToken: newSecret() })
  const large = await makeDrop({ quantity: 400, maxPerBuyer: 1, priceCents: 1_000_000 })
  await start('203.0.113.81', large.id)
  await expect(start('203.0.113.81', large.id)).rejects.toMatchObject({ code: 'LARGE_ORDERS_OPEN', status: 429 })
  expect(await start('203.0.113.82', large.id)).toBeTruthy()
  // A checkout that gave its units back on a crowded drop can still be paid.
  const { id } = await db().hold.findFirstOrThrow({ where: { dropId: large.id }, orderBy: { createdAt: 'asc' } })
  await releaseHold(jobContext(), id, 'yielded')
  await expect(start('203.0.113.81', large.id)).rejects.toMatchObject({ code: 'LARGE_ORDERS_OPEN' })
  const small = await makeDrop({ quantity: 400, maxPerBuyer: 1 })
  for (let at = 0; at < 8; at += 1) expect(await start('203.0.113.83', small.id)).toBeTruthy()
})

it('refuses a network after five payments above the limit within a day, and lets it buy drops without a limit', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 1 })
  const network = '203.0.113.77'
  const startHere = async (dropId: number) => {
    const started = await startBuying(visitorFrom(network), { dropId, quantity: 1, buyerToken: newSecret() })
    return 'url' in started ? started.url : ''
  }
  const buyHere = async (email: string) => {
    const url = await startHere(drop.id)
    await payAs(url, email)
    return settleCheckout(jobContext(), new URL(url).pathname.split('/').at(-1) ?? '')
  }
  expect(await buyHere('first@example.com')).toBe('paid')
  for (let at = 0; at < 5; at += 1) expect(await buyHere(`again-${at}@example.com`)).toBe('refunded')
  const refusal = await buyHere('once-more@example.com').catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'OFTEN_REFUNDED', status: 429 })
  const { retryAfterSeconds } = refusal as { retryAfterSeconds: number }
  expect(retryAfterSeconds).toBeGreaterThan(86_000)
  expect(retryAfterSeconds).toBeLessThanOrEqual(86_400)
  // The network of these payments is kept, although other holds lose theirs after two hours.
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { settledAt: new Date(Date.now() - 3 * 3_600_000) } })
  await forgetOrigins(database())
  await expect(buyHere('after-hours@example.com')).rejects.toMatchObject({ code: 'OFTEN_REFUNDED' })
  const other = await makeDrop({ quantity: 5 })
  expect(await startHere(other.id)).toContain('/checkout/')
  expect((await openCheckout(drop.id)).url).toBeTruthy()
  await db().refund.updateMany({
    where: { order: { dropId: drop.id } },
    data: { createdAt: new Date(Date.now() - 25 * 3_600_000) },
  })
  expect(await buyHere('a-day-later@example.com')).toBe('refunded')
})

it('refuses a single order that exceeds the limit', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 2 })
  await expect(openCheckout(drop.id, { quantity: 3 })).rejects.toMatchObject({ code: 'ABOVE_LIMIT', field: 'quantity' })
})

it('refuses a browser that has already bought as many units of this run, before anyone is charged', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 2 })
  const buyer = { buyerToken: newSecret() }
  const { url, sessionId } = await openCheckout(drop.id, buyer)
  await payAs(url, 'bea@example.com')
  expect(await settleCheckout(jobContext(), sessionId)).toBe('paid')
  const refusal = {
    code: 'ABOVE_LIMIT',
    message: 'At most 2 per person.',
    status: 409,
  }
  await expect(openCheckout(drop.id, { ...buyer, quantity: 2 })).rejects.toMatchObject(refusal)
  expect((await openCheckout(drop.id, { ...buyer, quantity: 1 })).url).toContain('/checkout/')
  expect((await openCheckout(drop.id, { quantity: 2 })).url).toContain('/checkout/')
})

it('does not count units that were refunded', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 1 })
  const buyer = { buyerToken: newSecret() }
  const { url, sessionId } = await openCheckout(drop.id, buyer)
  await payAs(url, 'bea@example.com')
  await settleCheckout(jobContext(), sessionId)
  await expect(openCheckout(drop.id, buyer)).rejects.toMatchObject({ code: 'ABOVE_LIMIT' })
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const seller = await db().user.findUniqueOrThrow({ where: { id: drop.userId } })
  await refundOrder(contextFor(actorOf(seller)), {
    orderId: order.id,
    refundId: newId('ref'),
    amountCents: order.amountCents,
    restockUnits: 0,
  })
  expect((await openCheckout(drop.id, buyer)).url).toContain('/checkout/')
})

it('counts the units that are left of an order that was refunded in part', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 2 })
  const buyer = { buyerToken: newSecret() }
  const { url, sessionId } = await openCheckout(drop.id, { ...buyer, quantity: 2 })
  await payAs(url, 'bea@example.com')
  await settleCheckout(jobContext(), sessionId)
  await expect(openCheckout(drop.id, buyer)).rejects.toMatchObject({ code: 'ABOVE_LIMIT' })
  const { id: orderId } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const seller = contextFor(actorOf(await db().user.findUniqueOrThrow({ where: { id: drop.userId } })))
  await refundOrder(seller, { orderId, refundId: newId('ref'), amountCents: drop.priceCents, restockUnits: 1 })
  expect((await openCheckout(drop.id, buyer)).url).toContain('/checkout/')
  expect(await buyAs(drop.id, 'bea@example.com')).toBe('paid')
  expect(await buyAs(drop.id, 'bea@example.com')).toBe('refunded')
  // The seller packs only what is left.
  const [, newest, oldest] = await listSellerOrders(
    database(),
    seller.actor.userId,
    sellerOrderFilterSchema.parse({}),
    10,
  )
  expect([newest, oldest]).toMatchObject([
    { quantity: 1, unitsLeft: 1 },
    { quantity: 2, unitsLeft: 1 },
  ])
  expect((await getSellerOrder(seller, seller.actor.userId, orderId)).unitsLeft).toBe(1)
})

it('a limit that the seller sets or lowers does not refund a checkout that was open by then', async () => {
  const drop = await makeDrop({ quantity: 40 })
  const { url, sessionId } = await openCheckout(drop.id, { quantity: 4 })
  await db().drop.update({ where: { id: drop.id }, data: { maxPerBuyer: 2 } })
  await payAs(url, 'bea@example.com')
  expect(await settleCheckout(jobContext(), sessionId)).toBe('paid')
  expect(await buyAs(drop.id, 'bea@example.com')).toBe('refunded')
})

it('does not count units that were bought in an earlier run', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 1, duration: 24 })
  const buyer = { buyerToken: newSecret() }
  const { url, sessionId } = await openCheckout(drop.id, buyer)
  await payAs(url, 'bea@example.com')
  await settleCheckout(jobContext(), sessionId)
  await expect(openCheckout(drop.id, buyer)).rejects.toMatchObject({ code: 'ABOVE_LIMIT' })
  const seller = await db().user.findUniqueOrThrow({ where: { id: drop.userId } })
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
  await db().drop.update({ where: { id: drop.id }, data: { startedAt: ago(49), endTime: ago(25) } })
  await relaunchDrop(contextFor(actorOf(seller)), { dropId: drop.id, duration: 24 })
  expect((await openCheckout(drop.id, buyer)).url).toContain('/checkout/')
})

it('refunds an order of the same mailbox or card that exceeds the limit, and says why', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 2 })
  expect(await buyAs(drop.id, 'b.ea@gmail.com', { quantity: 2 })).toBe('paid')
  expect(await buyAs(drop.id, 'Bea+2@googlemail.com', { cardNumber: OTHER_CARD })).toBe('refunded')
  expect(await buyAs(drop.id, 'cora@example.com')).toBe('refunded')
  expect(await sold(drop.id)).toBe(2)
  const refunds = await db().refund.findMany({ where: { order: { dropId: drop.id } } })
  expect(refunds.map(({ reason, state }) => [reason, state])).toEqual([
    ['above the limit per buyer', 'succeeded'],
    ['above the limit per buyer', 'succeeded'],
  ])
  const mails = await db().outboxMail.findMany({
    where: { dedupeKey: { startsWith: 'late-refund:' }, to: 'cora@example.com' },
  })
  expect(JSON.stringify(mails)).toContain('same email address or card')
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0 })
})

it('counts orders that are settled at the same moment', async () => {
  const drop = await makeDrop({ quantity: 100, maxPerBuyer: 1 })
  const open = await Promise.all(Array.from({ length: 6 }, () => openCheckout(drop.id)))
  for (const [index, { url }] of open.entries()) await payAs(url, `bea+${index}@example.com`)
  const outcomes = await Promise.all(open.map(({ sessionId }) => settleCheckout(jobContext(), sessionId)))
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1)
  for (const { orderId } of await db().refund.findMany({ where: { state: 'pending' } })) {
    await refundUnfulfillable(jobContext(), orderId)
  }
  expect(await sold(drop.id)).toBe(1)
})

it('does not count orders whose mailbox and card are not stored', async () => {
  const drop = await makeDrop({ quantity: 40, maxPerBuyer: 1 })
  expect(await buyAs(drop.id, 'dora@example.com', { cardNumber: OTHER_CARD })).toBe('paid')
  await db().order.updateMany({ where: { dropId: drop.id, status: 'paid' }, data: { cardKey: null, mailboxKey: null } })
  expect(await buyAs(drop.id, 'dora@example.com', { cardNumber: OTHER_CARD })).toBe('paid')
})
