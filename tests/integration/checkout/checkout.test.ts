import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const orderOf = (sessionId: string) => db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
const stock = async (id: number) => {
  const { sold, held, purchases } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held, purchases }
}
const mailsOf = (orderId: string) => db().outboxMail.findMany({ where: { dedupeKey: { endsWith: orderId } } })

it('turns a payment into one order, one stock change and one email each to buyer and seller', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const { url, sessionId } = await openCheckout(drop.id)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1, purchases: 0 })
  expect((await pay(url)).status).toBe(303)
  await Promise.all(Array.from({ length: 25 }, () => settleCheckout(ctx(), sessionId)))
  await Promise.all(Array.from({ length: 25 }, () => settleCheckout(ctx(), sessionId)))

  const order = await orderOf(sessionId)
  expect(order).toMatchObject({
    status: 'paid',
    amountCents: 2400,
    platformFeeCents: 120,
    sellerPayoutCents: 2280,
    cardFeeCents: 100,
    buyerEmail: 'bea@example.com',
    shipCountry: 'US',
  })
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
  expect((await mailsOf(order.id)).map((mail) => mail.dedupeKey).sort()).toEqual([
    `receipt:${order.id}`,
    `sale:${order.id}`,
  ])
  expect(await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })).toMatchObject({ amountCents: 2180 })
})

it('a paid checkout is settled when its order is first read, even without a webhook', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  await expect(getPaidOrder(visitor(), sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  await pay(url)
  expect(await getPaidOrder(visitor(), sessionId)).toMatchObject({ status: 'paid' })
})

it('leaves the order pending after a decline, and accepts a second attempt to pay', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  expect((await pay(url, '4000000000000002')).status).toBe(402)
  expect(await settleCheckout(ctx(), sessionId)).toBe('open')
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 1, purchases: 0 })
  expect((await pay(url)).status).toBe(303)
  expect(await settleCheckout(ctx(), sessionId)).toBe('paid')
})

it('returns the same session to the same buyer, and a new one for another quantity', async () => {
  const drop = await makeDrop({ quantity: 5 })
  const buyerToken = newSecret()
  const urls = await Promise.all(Array.from({ length: 10 }, () => openCheckout(drop.id, { buyerToken })))
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1)
  expect((await stock(drop.id)).held).toBe(1)
  const again = await openCheckout(drop.id, { buyerToken, quantity: 3 })
  expect(again.url).not.toBe(urls[0]?.url)
  expect((await stock(drop.id)).held).toBe(3)
  expect((await stripe().checkout.sessions.retrieve(urls[0]?.sessionId ?? '')).status).toBe('expired')
})

it('returns the same session to ten simultaneous requests of one buyer for the last unit', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const buyerToken = newSecret()
  const urls = await Promise.all(Array.from({ length: 10 }, () => openCheckout(drop.id, { buyerToken })))
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1)
  expect((await stock(drop.id)).held).toBe(1)
})

it('releases the unit when the buyer goes back, and closes the card page', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  await cancelCheckout(visitor(), (await orderOf(sessionId)).token)
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 0, purchases: 0 })
  expect((await pay(url)).status).toBe(410)
})

it('closes the card page even if the units of the hold are already back on sale', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  const { holdId, token } = await orderOf(sessionId)
  await releaseHold(visitor(), holdId, 'yielded')
  await cancelCheckout(visitor(), token)
  expect((await pay(url)).status).toBe(410)
  expect(await db().hold.findUniqueOrThrow({ where: { id: holdId } })).toMatchObject({ reason: 'cancelled' })
  expect(await stock(drop.id)).toEqual({ sold: 0, held: 0, purchases: 0 })
})

it('does not release a unit that was paid meanwhile', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await cancelCheckout(visitor(), (await orderOf(sessionId)).token)
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
  expect(await orderOf(sessionId)).toMatchObject({ status: 'paid' })
})

it('keeps one hold when one buyer asks for different quantities at once', async () => {
  const drop = await makeDrop({ quantity: 9 })
  const buyerToken = newSecret()
  await openCheckout(drop.id, { buyerToken })
  const attempts = [2, 3, 2, 1, 3].map((quantity) => openCheckout(drop.id, { buyerToken, quantity }))
  for (const outcome of await Promise.allSettled(attempts)) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 503 })
  }
  const held = await db().hold.findMany({ where: { dropId: drop.id, state: 'held' } })
  expect(held).toHaveLength(1)
  expect((await stock(drop.id)).held).toBe(held[0]?.quantity)
})

it('sells the unit once, even when its hold is released while the payment is settled', async () => {
  for (let round = 0; round < 10; round += 1) {
    const drop = await makeDrop({ quantity: 1 })
    const { url, sessionId } = await openCheckout(drop.id)
    const { holdId } = await orderOf(sessionId)
    await pay(url)
    await Promise.all([
      settleCheckout(ctx(), sessionId),
      releaseHold(ctx(), holdId, 'expired'),
      settleCheckout(ctx(), sessionId),
    ])
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
    expect(await orderOf(sessionId)).toMatchObject({ status: 'paid', refundedCents: 0 })
  }
})

it('the sweep releases an expired hold, but not the hold of a checkout that is paid at Stripe', async () => {
  const drop = await makeDrop({ quantity: 2 })
  const unpaid = await openCheckout(drop.id)
  const paid = await openCheckout(drop.id)
  await pay(paid.url)
  await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1_000) } })
  await sweepCheckouts(ctx())
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
  expect((await pay(unpaid.url)).status).toBe(410)
  expect(await orderOf(paid.sessionId)).toMatchObject({ status: 'paid' })
})

it('the sweep finds a payment whose webhook never arrived, even before the hold has ended', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  // This is the state after a crash between Stripe's response, which contains the session, and the update of the order.
  await db().order.updateMany({ where: { dropId: drop.id }, data: { stripeSessionId: null } })
  await sweepCheckouts(ctx())
  expect(await orderOf(sessionId)).toMatchObject({ status: 'paid' })
  expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
})

describe('a payment after the hold was released', () => {
  async function paidLate(quantity: number) {
    const drop = await makeDrop({ quantity })
    const late = await openCheckout(drop.id)
    await pay(late.url)
    // Writes the rows that a faulty sweep would leave if it released a hold without reaching Stripe.
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { state: 'released' } })
    await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
    await db().order.updateMany({ where: { dropId: drop.id }, data: { status: 'expired' } })
    return { drop, late }
  }

  it('takes another unit if one is left', async () => {
    const { drop, late } = await paidLate(1)
    expect(await settleCheckout(ctx(), late.sessionId)).toBe('paid')
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
  })

  it('is refunded once, with an email, if no unit is left', async () => {
    const { drop, late } = await paidLate(1)
    const other = await openCheckout(drop.id)
    await pay(other.url)
    await settleCheckout(ctx(), other.sessionId)
    await Promise.all(Array.from({ length: 10 }, () => settleCheckout(ctx(), late.sessionId)))
    await settleCheckout(ctx(), late.sessionId)
    const order = await orderOf(late.sessionId)
    expect(order).toMatchObject({ status: 'refunded', refundedCents: 2400 })
    const mails = await mailsOf(order.id)
    expect(mails.map((mail) => mail.dedupeKey)).toEqual([`late-refund:${order.id}`])
    expect(mails[0]?.text).toContain('every unit was already sold')
    const refunds = await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })
    expect(refunds.data.map((refund) => refund.amount)).toEqual([2400])
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0, purchases: 1 })
  })

  const past = { startedAt: new Date(Date.now() - 2 * HOUR_MS), endTime: new Date(Date.now() - HOUR_MS) }
  test.each([
    ['the drop has ended', past, 'not on sale anymore', 'the drop was no longer on sale'],
    ['the drop is paused', { isActive: false }, 'not on sale anymore', 'the drop was no longer on sale'],
    ['the edition has closed', { ...past, isNumbered: true }, 'the edition has closed', 'the edition had closed'],
    [
      'the public start is still to come',
      { startedAt: new Date(Date.now() + HOUR_MS) },
      'released before the public start',
      "the drop hadn't started for everyone",
    ],
  ])('is refunded with the true reason when %s', async (_name, change, reason, text) => {
    const { drop, late } = await paidLate(5)
    await db().drop.update({ where: { id: drop.id }, data: change })
    await settleCheckout(ctx(), late.sessionId)
    const order = await orderOf(late.sessionId)
    expect(order).toMatchObject({ status: 'refunded', refundedCents: 2400 })
    expect(await db().refund.findMany({ where: { orderId: order.id } })).toMatchObject([{ reason }])
    const [mail] = await mailsOf(order.id)
    expect(mail?.text).toContain(text)
  })
})

describe('refusals', () => {
  const start = (dropId: number, quantity = 1) =>
    startCheckout(visitor(), { dropId, quantity, buyerToken: newSecret() })

  test.each([
    ['DROP_ENDED', 409, { endTime: new Date(Date.now() - 1) }],
    ['DROP_PAUSED', 409, { isActive: false }],
    ['SOLD_OUT', 409, { quantity: 1, sold: 1 }],
    ['ALL_IN_CHECKOUT', 409, { quantity: 1, held: 1 }],
    ['DROP_NOT_FOUND', 404, { hiddenAt: new Date() }],
  ])('a checkout is refused with %s', async (code, status, change) => {
    const drop = await makeDrop({ ...change, ...(code === 'DROP_ENDED' ? { startedAt: new Date(0) } : {}) })
    await expect(start(drop.id)).rejects.toMatchObject({ code, status })
    expect(await db().order.count({ where: { dropId: drop.id } })).toBe(0)
  })

  it('a checkout of more units than are left is refused', async () => {
    const drop = await makeDrop({ quantity: 2 })
    await expect(start(drop.id, 3)).rejects.toMatchObject({ code: 'NOT_ENOUGH_LEFT', field: 'quantity' })
  })

  it('does not sell a seller their own drop', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    const attempt = startCheckout(contextFor(actorOf(seller)), {
      dropId: drop.id,
      quantity: 1,
      buyerToken: newSecret(),
    })
    await expect(attempt).rejects.toMatchObject({ code: 'OWN_DROP', status: 403 })
  })

  it('finds no order for an unknown or malformed session', async () => {
    await expect(getPaidOrder(visitor(), 'cs_test_somebody_elses')).rejects.toMatchObject({ status: 404 })
    await expect(getPaidOrder(visitor(), '../../etc')).rejects.toMatchObject({ status: 404 })
  })
})
