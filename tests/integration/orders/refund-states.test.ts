// What becomes of refunds after Stripe has answered: docs.stripe.com/refunds and docs.stripe.com/testing#refunds
// (docs/stripe-rules.md, A2, A11).
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/orders/refund-order'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { syncRefunds } from '@/lib/orders/sync-refunds'
import { sweepCheckouts } from '@/lib/orders/sweep-checkouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/money-audit'
import { deliverEvents, openCheckout, pay, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const PENDING_REFUND = '4000000000007726'
const FAILING_REFUND = '4000000000005126'
const DISPUTED = '4000000000000259'
const system = () => systemContext('test')

async function sell(card?: string) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, card)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { ctx: contextFor(actorOf(seller)), seller, order, sessionId }
}

const refundAll = (orderId: string) => ({ orderId, refundId: newId('ref'), amountCents: 2400, restockUnits: 0 })
const orderNow = (id: string) =>
  db().order.findUniqueOrThrow({ where: { id }, include: { refunds: true, transfer: true } })
const mailsTo = async (to: string) =>
  (await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })).map(({ subject }) => subject)

const buyer = 'bea@example.com'
const newMails = async () => {
  const before = (await mailsTo(buyer)).length
  return async () => (await mailsTo(buyer)).slice(before)
}

/** Empties the platform's balance, as Stripe's automatic payouts do. */
async function emptyBalance(): Promise<void> {
  const { available } = await stripe().balance.retrieve()
  await stripe().payouts.create({ amount: available[0]!.amount, currency: 'usd' })
}

/** Puts money on the platform's balance. */
async function fillBalance(amountCents: number): Promise<void> {
  const json = { id: newId('txn'), net: amountCents, available_on: 0 }
  await db().sandboxObject.create({ data: { id: json.id, kind: 'balance_transaction', json } })
}

it('a pending refund changes nothing and is not mailed as a success until Stripe says so', async () => {
  const { ctx, order } = await sell(PENDING_REFUND)
  const mails = await newMails()
  expect(await refundOrder(ctx, refundAll(order.id))).toBe('pending')
  expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 0, refunds: [{ state: 'pending' }] })
  expect(await mails()).toEqual([])
  await standIn()!.settleDue()
  await deliverEvents()
  expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refunds: [{ state: 'succeeded' }] })
  expect(await mails()).toEqual([`Refunded: ${order.dropTitle}`])
})

it('a refund waits while the available balance is too small, and the sweep finds out without an event', async () => {
  const { ctx, order } = await sell()
  await emptyBalance()
  const said = refundAll(order.id)
  expect(await refundOrder(ctx, said)).toBe('pending')
  const [atStripe] = (await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data
  expect(atStripe).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds', balance_transaction: null })
  await standIn()!.settleDue()
  expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'pending' }])
  await fillBalance(10_000_000)
  await standIn()!.settleDue()
  // No event arrives. The sweep reads refunds that have been pending for an hour.
  await db().refund.update({ where: { id: said.refundId }, data: { createdAt: new Date(Date.now() - 2 * 3_600_000) } })
  await sweepCheckouts(system())
  expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refunds: [{ state: 'succeeded' }] })
})

it('a refund that fails later puts the order and the payout back, and buyer and seller are notified', async () => {
  const { ctx, order, seller } = await sell(FAILING_REFUND)
  const mails = await newMails()
  expect(await refundOrder(ctx, refundAll(order.id))).toBe('succeeded')
  await standIn()!.settleDue()
  await deliverEvents()
  expect(await orderNow(order.id)).toMatchObject({
    status: 'paid',
    refundedCents: 0,
    refunds: [{ state: 'failed' }],
    transfer: { state: 'waiting', deductedCents: 0, feeOwedCents: 0 },
  })
  expect(await mails()).toEqual([`Refunded: ${order.dropTitle}`, `Your refund did not arrive: ${order.dropTitle}`])
  expect(await mailsTo(seller.email)).toContain(`Refund failed: ${order.dropTitle}`)
  // Whether the charge can be refunded again is not documented (docs.stripe.com/refunds; docs/stripe-rules.md, D5): the stand-in refuses it, and the seller is told so.
  await expect(refundOrder(ctx, refundAll(order.id))).rejects.toMatchObject({ code: 'REFUND_REFUSED' })
})

it('a refund whose answer was lost is found at Stripe when its idempotency key is gone', async () => {
  // Keys may be removed after 24 hours: docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A12)
  const { ctx, order } = await sell()
  await standIn()!.setFaults({
    api: { kind: 'reset-after-commit', path: '/v1/refunds', remaining: 1, delayMs: 0 },
    deliveries: null,
  })
  const said = { ...refundAll(order.id), amountCents: 1000 }
  expect(await refundOrder(ctx, said)).toBe('pending')
  await standIn()!.setFaults({ api: null, deliveries: null })
  await db().sandboxIdempotencyKey.deleteMany({})
  await db().refund.update({ where: { id: said.refundId }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } })
  await Promise.all([sweepCheckouts(system()), sweepCheckouts(system())])
  const atStripe = await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })
  expect(atStripe.data.map(({ amount }) => amount)).toEqual([1000])
  expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'succeeded', amountCents: 1000 }])
})

/** Sells for an amount that is then changed in the order, as by hand, so that Stripe has another amount. */
async function sellWithAnotherAmount(card?: string) {
  const drop = await makeDrop({ quantity: 1 })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url, card)
  await db().order.updateMany({
    where: { dropId: drop.id },
    data: { amountCents: 1200, unitPriceCents: 1200, sellerPayoutCents: 1140, platformFeeCents: 60 },
  })
  const order = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  return { sessionId, order, drop }
}

describe('a payment of another amount than the order', () => {
  it('is refunded with a row of its own, once, and the buyer gets a mail when it is through', async () => {
    const { sessionId, order, drop } = await sellWithAnotherAmount()
    const mails = await newMails()
    const outcomes = await Promise.all([settleCheckout(system(), sessionId), settleCheckout(system(), sessionId)])
    expect(outcomes).toEqual(['mismatch', 'mismatch'])
    const now = await orderNow(order.id)
    expect(now).toMatchObject({ status: 'expired', paidAt: null, transfer: null })
    expect(now.refunds).toMatchObject([{ requestedBy: 'mismatch', amountCents: 2400, state: 'succeeded' }])
    expect((await stripe().refunds.list({ payment_intent: now.stripePaymentIntentId ?? '' })).data).toHaveLength(1)
    expect(await mails()).toEqual([`Refunded: ${order.dropTitle}`])
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0, sold: 0 })
  })

  it('keeps its refund apart from one that somebody makes in the dashboard of Stripe meanwhile', async () => {
    const { sessionId, order } = await sellWithAnotherAmount()
    await standIn()!.setFaults({
      api: { kind: 'error', path: '/v1/refunds', remaining: 99, delayMs: 0 },
      deliveries: null,
    })
    await expect(settleCheckout(system(), sessionId)).rejects.toMatchObject({ statusCode: 500 })
    await standIn()!.setFaults({ api: null, deliveries: null })
    const { stripePaymentIntentId } = await orderNow(order.id)
    await stripe().refunds.create({ payment_intent: stripePaymentIntentId ?? '', amount: 700 })
    await syncRefunds(system(), order.id)
    const refunds = async () =>
      (await orderNow(order.id)).refunds
        .map(({ requestedBy, amountCents, state }) => [requestedBy, amountCents, state])
        .toSorted()
    const made = ['stripe', 700, 'succeeded']
    expect(await refunds()).toEqual([['mismatch', 2400, 'pending'], made])
    await sweepCheckouts(system())
    // Stripe gives back what was left of the payment.
    expect(await refunds()).toEqual([['mismatch', 1700, 'succeeded'], made])
  })

  it('whose refund fails is owed: the buyer is asked to write, the administrators are notified', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const { sessionId, order } = await sellWithAnotherAmount(FAILING_REFUND)
    const mails = await newMails()
    await settleCheckout(system(), sessionId)
    await standIn()!.settleDue()
    await deliverEvents()
    expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'failed' }])
    expect((await findBuyerOrder(db(), order.token))?.owedRefund).toBe('failed')
    expect(await mails()).toEqual([`Refunded: ${order.dropTitle}`, `We could not refund you: ${order.dropTitle}`])
    expect(await mailsTo(admin.email)).toEqual([`A refund failed and is still owed: ${order.dropTitle}`])
  })

  it('that is disputed is left to the bank, and the sweep does not ask again and again', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const { sessionId, order } = await sellWithAnotherAmount(DISPUTED)
    await settleCheckout(system(), sessionId)
    await sweepCheckouts(system())
    expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'failed', stripeRefundId: null }])
    expect(await mailsTo(admin.email)).toHaveLength(1)
  })
})
