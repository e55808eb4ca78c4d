// These tests follow the states of refunds after Stripe's first response. Stripe describes them in
// docs.stripe.com/refunds and docs.stripe.com/testing#refunds (docs/stripe-rules.md, A2, A11).
import { listOrders } from '@/lib/admin/ledger-queries'
import { orderFilterSchema } from '@/lib/admin/schema'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { findBuyerOrder } from '@/lib/orders/queries'
import { recordHandRefund } from '@/lib/refunds/record-hand-refund'
import { refundOrder } from '@/lib/refunds/refund-order'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { rejectRefund } from '@/tests/support/reject-refund'
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

/** Empties the platform's available balance, as Stripe's automatic payouts do. */
async function emptyBalance(): Promise<void> {
  const { available } = await stripe().balance.retrieve()
  await stripe().payouts.create({ amount: available[0]!.amount, currency: 'usd' })
}

/** Adds money to the platform's available balance. */
async function fillBalance(amountCents: number): Promise<void> {
  const json = { id: newId('txn'), net: amountCents, available_on: 0 }
  await db().sandboxObject.create({ data: { id: json.id, kind: 'balance_transaction', json } })
}

it('a pending refund changes the order and is reported by email only when Stripe reports success', async () => {
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

it('a refund stays pending while the available balance is too small, and the sweep notices its success without an event', async () => {
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
  // No event arrives. The sweep reads a refund about once an hour after it has been pending for an hour.
  await db().refund.update({ where: { id: said.refundId }, data: { createdAt: new Date(Date.now() - 2 * 3_600_000) } })
  await sweepCheckouts(system())
  expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refunds: [{ state: 'succeeded' }] })
})

it('a refund that fails later restores the order and the payout, and the buyer and the seller are emailed', async () => {
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
  expect(await mails()).toEqual([`Refunded: ${order.dropTitle}`, `Your refund didn't arrive: ${order.dropTitle}`])
  expect(await mailsTo(seller.email)).toContain(`Refund failed: ${order.dropTitle}`)
  // Stripe does not document whether the charge can be refunded again (docs.stripe.com/refunds, docs/stripe-rules.md,
  // D5). The stand-in refuses a second refund, and the seller gets an error.
  await expect(refundOrder(ctx, refundAll(order.id))).rejects.toMatchObject({ code: 'REFUND_REFUSED' })
  // The seller knows about it, so no administrator has to do anything until the seller's account is closed.
  const failedRefund = () => listOrders(database(), orderFilterSchema.parse({ show: 'stuck', q: order.id }))
  expect(await failedRefund()).toEqual([])
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const byHand = { orderId: order.id, reference: 'SEPA 8' }
  await expect(recordHandRefund(admin, byHand)).rejects.toMatchObject({ code: 'NO_FAILED_REFUND', field: 'reference' })
  await db().user.update({ where: { id: seller.id }, data: { deletedAt: new Date() } })
  expect(await failedRefund()).toMatchObject([{ isStuck: true, failedRefundCents: 2400 }])
  await db().user.update({ where: { id: seller.id }, data: { deletedAt: null } })
})

it('a refund whose response was lost is found at Stripe after its idempotency key has been removed', async () => {
  // Stripe may remove keys after 24 hours: docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A12).
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

it.each(['error', 'error-after-commit'] as const)(
  'a refund that Stripe failed to make (%s) is made once, although Stripe repeats the failure under the same key',
  async (kind) => {
    // docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A7)
    const { ctx, order } = await sell()
    await standIn()!.setFaults({ api: { kind, path: '/v1/refunds', remaining: 1, delayMs: 0 }, deliveries: null })
    const said = { ...refundAll(order.id), amountCents: 1000 }
    expect(await refundOrder(ctx, said)).toBe('pending')
    await standIn()!.setFaults({ api: null, deliveries: null })
    // The sweep leaves new refunds to the request that made them.
    const aWhileAgo = new Date(Date.now() - 5 * 60_000)
    await db().refund.update({ where: { id: said.refundId }, data: { createdAt: aWhileAgo } })
    await Promise.all([sweepCheckouts(system()), sweepCheckouts(system())])
    const atStripe = await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })
    expect(atStripe.data.map(({ amount }) => amount)).toEqual([1000])
    expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'succeeded', amountCents: 1000 }])
  },
)

/** Pays a checkout and then changes the amount of its order, so that Stripe has received another amount. */
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

async function whileRefundsFail(settle: () => Promise<unknown>): Promise<void> {
  await standIn()!.setFaults({
    api: { kind: 'error', path: '/v1/refunds', remaining: 99, delayMs: 0 },
    deliveries: null,
  })
  await expect(settle()).rejects.toMatchObject({ statusCode: 500 })
  await standIn()!.setFaults({ api: null, deliveries: null })
}

async function refundInDashboard(intentId: string | null, amounts: number[]): Promise<void> {
  for (const amount of amounts) await stripe().refunds.create({ payment_intent: intentId ?? '', amount })
}

/** Makes a payment that comes after its unit was sold to someone else. */
async function payInVain(card?: string) {
  const drop = await makeDrop({ quantity: 1 })
  const { url, sessionId } = await openCheckout(drop.id)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await releaseHold(system(), order.holdId, 'yielded')
  const faster = await openCheckout(drop.id)
  await payAndSettle(faster.url, faster.sessionId)
  await pay(url, card)
  return { order, sessionId }
}

describe('a payment that came too late', () => {
  it.each([[[2400]], [[700, 1700]]])(
    'needs no further refund when someone refunds %j in the Stripe dashboard',
    async (amounts) => {
      const { order, sessionId } = await payInVain()
      await whileRefundsFail(() => settleCheckout(system(), sessionId))
      expect((await orderNow(order.id)).refunds).toMatchObject([{ requestedBy: 'system', state: 'pending' }])
      const { stripePaymentIntentId } = await orderNow(order.id)
      await refundInDashboard(stripePaymentIntentId, amounts)
      const mails = await newMails()
      await sweepCheckouts(system())
      const { status, refunds } = await orderNow(order.id)
      expect(status).toBe('refunded')
      expect(refunds.map(({ state, stripeRefundId }) => [state, stripeRefundId?.slice(0, 3)])).toEqual(
        amounts.map(() => ['succeeded', 're_']),
      )
      expect(refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(2400)
      expect(refunds.filter(({ requestedBy }) => requestedBy === 'system')).toHaveLength(1)
      expect(await mails()).toEqual(amounts.map(() => `Refunded: ${order.dropTitle}`))
      const { reads } = await standIn()!.traffic()
      await sweepCheckouts(system(), { looksForLost: false })
      expect((await standIn()!.traffic()).reads).toBe(reads)
    },
  )

  it.each(['before', 'after'] as const)(
    'is recorded when someone refunds nearly all of it in the Stripe dashboard %s our refund is sent',
    async (when) => {
      const { order, sessionId } = await payInVain()
      await whileRefundsFail(() => settleCheckout(system(), sessionId))
      const { stripePaymentIntentId: payment_intent, refunds } = await orderNow(order.id)
      await refundInDashboard(payment_intent, [2350])
      // The platform's fee of $1.20 is part of our refund, of which only $0.50 is left.
      if (when === 'after') {
        const metadata = { orderId: order.id, refundId: refunds[0]!.id }
        await stripe().refunds.create({ payment_intent: payment_intent ?? '', metadata })
      }
      await syncRefunds(system(), order.id)
      await sweepCheckouts(system())
      const { refunds: now } = await orderNow(order.id)
      const rows = now.map(({ requestedBy, amountCents, state }) => [requestedBy, amountCents, state])
      expect(rows.toSorted()).toEqual([
        ['stripe', 2350, 'succeeded'],
        ['system', 50, 'succeeded'],
      ])
    },
  )

  it('is owed when the refund made in the Stripe dashboard fails later', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const { order, sessionId } = await payInVain(FAILING_REFUND)
    await whileRefundsFail(() => settleCheckout(system(), sessionId))
    await refundInDashboard((await orderNow(order.id)).stripePaymentIntentId, [2400])
    await sweepCheckouts(system())
    await standIn()!.settleDue()
    await deliverEvents()
    expect((await orderNow(order.id)).refunds).toMatchObject([{ requestedBy: 'system', state: 'failed' }])
    expect(await mailsTo(admin.email)).toEqual([`A refund failed and is still owed: ${order.dropTitle}`])
  })

  it('is owed by the platform and not by the seller when the older of two refunds in the Stripe dashboard fails', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const { order, sessionId } = await payInVain()
    await whileRefundsFail(() => settleCheckout(system(), sessionId))
    const { stripePaymentIntentId } = await orderNow(order.id)
    await refundInDashboard(stripePaymentIntentId, [700, 1700])
    await sweepCheckouts(system())
    const mails = await newMails()
    const { stripeRefundId } = (await orderNow(order.id)).refunds.find(({ requestedBy }) => requestedBy === 'stripe')!
    await rejectRefund(stripeRefundId!, order.id)
    await syncRefunds(system(), order.id)
    const seller = await db().user.findUniqueOrThrow({ where: { id: order.sellerId } })
    expect(await mailsTo(seller.email)).not.toContain(`Refund failed: ${order.dropTitle}`)
    expect(await mailsTo(admin.email)).toEqual([`A refund failed and is still owed: ${order.dropTitle}`])
    expect(await mails()).toEqual([`We couldn't refund you: ${order.dropTitle}`])
    expect((await findBuyerOrder(db(), order.token))?.owedRefund).toBe('failed')
    expect(await orderNow(order.id)).toMatchObject({ status: 'refunded' })
    // An administrator pays the part that failed in another way, and presses the button twice.
    const listed = async () => listOrders(database(), orderFilterSchema.parse({ show: 'stuck', q: order.id }))
    expect(await listed()).toMatchObject([{ failedRefundCents: 1700 }])
    for (let press = 0; press < 2; press += 1) {
      await recordHandRefund(contextFor(actorOf(admin)), { orderId: order.id, reference: 'SEPA 9' })
    }
    expect(await listed()).toEqual([])
    expect((await findBuyerOrder(db(), order.token))?.owedRefund).toBe('byHand')
    expect(await db().auditEntry.findMany({ where: { action: 'refund.byhand', targetId: order.id } })).toMatchObject([
      { after: { amountCents: 1700, reference: 'SEPA 9' } },
    ])
  })
})

describe('a payment whose amount differs from its order', () => {
  it('is refunded once, with a separate row, and the buyer is emailed when the refund has succeeded', async () => {
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

  it('keeps its refund separate from another refund that is made in the Stripe dashboard meanwhile', async () => {
    const { sessionId, order } = await sellWithAnotherAmount()
    await whileRefundsFail(() => settleCheckout(system(), sessionId))
    const { stripePaymentIntentId } = await orderNow(order.id)
    await refundInDashboard(stripePaymentIntentId, [700])
    await syncRefunds(system(), order.id)
    const refunds = async () =>
      (await orderNow(order.id)).refunds
        .map(({ requestedBy, amountCents, state }) => [requestedBy, amountCents, state])
        .toSorted()
    const made = ['stripe', 700, 'succeeded']
    expect(await refunds()).toEqual([['mismatch', 2400, 'pending'], made])
    await sweepCheckouts(system())
    // Stripe refunds the amount that was left of the payment.
    expect(await refunds()).toEqual([['mismatch', 1700, 'succeeded'], made])
  })

  it('needs no further refund when someone refunds all of it in the Stripe dashboard meanwhile', async () => {
    const { sessionId, order } = await sellWithAnotherAmount()
    await whileRefundsFail(() => settleCheckout(system(), sessionId))
    const { stripePaymentIntentId } = await orderNow(order.id)
    await refundInDashboard(stripePaymentIntentId, [2400])
    await syncRefunds(system(), order.id)
    await sweepCheckouts(system())
    expect((await orderNow(order.id)).refunds).toMatchObject([
      { requestedBy: 'mismatch', amountCents: 2400, state: 'succeeded', stripeRefundId: expect.stringMatching(/^re_/) },
    ])
  })

  it('stays owed when its refund fails, and the buyer and the administrators are emailed', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const { sessionId, order } = await sellWithAnotherAmount(FAILING_REFUND)
    const mails = await newMails()
    await settleCheckout(system(), sessionId)
    await standIn()!.settleDue()
    await deliverEvents()
    expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'failed' }])
    expect((await findBuyerOrder(db(), order.token))?.owedRefund).toBe('failed')
    expect(await mails()).toEqual([`Refunded: ${order.dropTitle}`, `We couldn't refund you: ${order.dropTitle}`])
    expect(await mailsTo(admin.email)).toEqual([`A refund failed and is still owed: ${order.dropTitle}`])
  })

  it('is not refunded while it is disputed, and the administrators are emailed once', async () => {
    const admin = await makeSeller({ isAdmin: true })
    const { sessionId, order } = await sellWithAnotherAmount(DISPUTED)
    await settleCheckout(system(), sessionId)
    await sweepCheckouts(system())
    expect((await orderNow(order.id)).refunds).toMatchObject([{ state: 'failed', stripeRefundId: null }])
    expect(await mailsTo(admin.email)).toHaveLength(1)
  })
})
