import type Stripe from 'stripe'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { declineRefund } from '@/lib/refunds/decline-refund'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { refundOrder } from '@/lib/refunds/refund-order'
import { requestRefund } from '@/lib/refunds/request-refund'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { settlePayouts } from '@/lib/payouts/settle-payouts'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { setRefundStatus } from '@/tests/support/reject-refund'
import { onboard, openCheckout, passDays, payAndSettle } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

examineMoneyAfterEach()
afterAll(closeDatabase)

const system = () => systemContext('test')

async function sell(
  quantity = 5,
  card?: string,
  { units = 1, ...fields }: { units?: number; productType?: 'digital' } = {},
) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, quantity, ...fields })
  const { url, sessionId } = await openCheckout(drop.id, { quantity: units })
  await payAndSettle(url, sessionId, card)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { ctx: contextFor(actorOf(seller)), drop, order, sessionId }
}

const input = (orderId: string, amountCents: number, restockUnits = 0) => ({
  orderId,
  refundId: newId('ref'),
  amountCents,
  restockUnits,
})
const orderNow = (id: string) => db().order.findUniqueOrThrow({ where: { id }, include: { refunds: true } })

it('refuses a second refund under the id of another refund or of a refund request', async () => {
  const { ctx, order } = await sell()
  const refused = { code: 'REFUND_DIFFERS', status: 409 }
  await requestRefund(visitor(), { token: order.token, text: 'It came broken.' })
  const [asked] = (await orderNow(order.id)).refunds
  const underItsId = { ...input(order.id, 100), refundId: asked!.id }
  await expect(refundOrder(ctx, underItsId)).rejects.toMatchObject(refused)
  await declineRefund(ctx, { orderId: order.id, requestId: asked!.id, answer: 'It was whole.' })
  await expect(refundOrder(ctx, underItsId)).rejects.toMatchObject(refused)
  const said = input(order.id, 100)
  await refundOrder(ctx, said)
  await expect(refundOrder(ctx, { ...said, amountCents: 2400 })).rejects.toMatchObject(refused)
  expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 100 })
})

it('repeated requests create one refund, send one email and reverse the payout once', async () => {
  const { ctx, order, drop } = await sell()
  const said = input(order.id, 2400, 1)
  await Promise.all(Array.from({ length: 10 }, () => refundOrder(ctx, said)))
  expect(await refundOrder(ctx, said)).toBe('succeeded')
  const now = await orderNow(order.id)
  expect(now).toMatchObject({ status: 'refunded', refundedCents: 2400 })
  expect(now.refunds).toMatchObject([{ state: 'succeeded', amountCents: 2400, platformFeeCents: 120 }])
  const atStripe = await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })
  expect(atStripe.data.map(({ amount }) => amount)).toEqual([2400])
  expect(await db().outboxMail.count({ where: { dedupeKey: `refund:${said.refundId}` } })).toBe(1)
  expect(await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })).toMatchObject({ state: 'reversed' })
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 0, held: 0 })
})

it('refunds in parts, returns the fee in proportion, and never refunds more than was paid', async () => {
  const { ctx, order, drop } = await sell()
  await refundOrder(ctx, input(order.id, 1000))
  await expect(refundOrder(ctx, input(order.id, 1401))).rejects.toMatchObject({ code: 'REFUND_TOO_LARGE' })
  expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 1000 })
  const race = [700, 700, 700].map((cents) => refundOrder(ctx, input(order.id, cents)))
  const outcomes = await Promise.allSettled(race)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const now = await orderNow(order.id)
  expect(now).toMatchObject({ status: 'refunded', refundedCents: 2400 })
  expect(now.refunds.reduce((sum, refund) => sum + refund.platformFeeCents, 0)).toBe(120)
  expect((await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).sold).toBe(1)
})

it('a refund is refused to other sellers, and to the seller during a dispute', async () => {
  const { order } = await sell()
  const stranger = contextFor(actorOf(await makeSeller()))
  await expect(refundOrder(stranger, input(order.id, 100))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const disputed = await sell(5, '4000000000000259')
  await expect(refundOrder(disputed.ctx, input(disputed.order.id, 100))).rejects.toMatchObject({ status: 409 })
  expect((await orderNow(disputed.order.id)).refundedCents).toBe(0)
})

it('records a refund that was made in the Stripe dashboard', async () => {
  const { order } = await sell()
  const intent = order.stripePaymentIntentId ?? ''
  await stripe().refunds.create({ payment_intent: intent, amount: 900 })
  const event = { id: newId('evt'), type: 'charge.refunded', data: { object: { id: 'ch', payment_intent: intent } } }
  await receiveStripeEvent(system(), event as Stripe.Event)
  expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 900 })
  const { id } = await db().refund.findFirstOrThrow({ where: { orderId: order.id } })
  const { text } = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: `refund:${id}` } })
  expect(text).toContain('We refunded $9.00 for')
})

it('restocks only units whose whole price was refunded', async () => {
  const { ctx, order, drop } = await sell(5, undefined, { units: 3 })
  const stock = async () => {
    const { sold } = await db().drop.findUniqueOrThrow({ where: { id: drop.id } })
    return { sold, hold: await db().hold.findUniqueOrThrow({ where: { id: order.holdId } }) }
  }
  await expect(refundOrder(ctx, input(order.id, 2399, 1))).rejects.toMatchObject({ code: 'RESTOCK_TOO_MANY' })
  await refundOrder(ctx, input(order.id, 2400, 1))
  expect(await stock()).toMatchObject({ sold: 2, hold: { state: 'sold', quantity: 2 } })
  await refundOrder(ctx, input(order.id, 2000))
  await expect(refundOrder(ctx, input(order.id, 400, 2))).rejects.toMatchObject({ code: 'RESTOCK_TOO_MANY' })
  const last = input(order.id, 2800, 2)
  await Promise.all([refundOrder(ctx, last), refundOrder(ctx, last)])
  expect(await stock()).toMatchObject({ sold: 0, hold: { state: 'released' } })
})

/**
 * Sets the status of the newest refund of a payment at the stand-in, and delivers the event with which Stripe reports
 * the new status.
 */
async function sendRefundUpdate(status: 'failed' | 'pending' | 'succeeded', intent: string | null): Promise<void> {
  const refund = (await stripe().refunds.list({ payment_intent: intent ?? '' })).data[0]!
  await setRefundStatus(refund.id, status)
  await receiveStripeEvent(system(), stripeEvent('refund.updated', { ...refund, status }))
}

describe('a refund that the bank rejects', () => {
  const payoutOf = (orderId: string) => db().transfer.findUniqueOrThrow({ where: { orderId } })
  const atStripe = async (orderId: string) =>
    (await stripe().transfers.list({ transfer_group: orderId })).data.reduce(
      (sum, { amount, amount_reversed }) => sum + amount - amount_reversed,
      0,
    )

  it('restores a payout that had not been sent yet', async () => {
    const { ctx, order } = await sell()
    await refundOrder(ctx, input(order.id, 2400))
    expect(await payoutOf(order.id)).toMatchObject({ state: 'reversed', deductedCents: 2180 })
    await sendRefundUpdate('failed', order.stripePaymentIntentId)
    expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 0 })
    expect(await payoutOf(order.id)).toMatchObject({ state: 'waiting', deductedCents: 0, sentCents: null })
    const mails = await db().outboxMail.findMany({ where: { dedupeKey: { startsWith: 'refund-failed:' } } })
    expect(mails.map(({ subject }) => subject)).toEqual([`Refund failed: ${order.dropTitle}`])
    // An older event that arrives after the failure is ignored.
    await sendRefundUpdate('succeeded', order.stripePaymentIntentId)
    expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 0 })
  })

  it('sends the reversed part of a payout once more, and reverses it again for the next refund', async () => {
    const { ctx, order } = await sell(5, undefined, { productType: 'digital' })
    await onboard(await connectPayouts(ctx), 'finish')
    await refreshPayouts(ctx, ctx.actor.userId)
    expect(await atStripe(order.id)).toBe(2180)
    await passDays()
    await refundOrder(ctx, input(order.id, 1000))
    expect(await atStripe(order.id)).toBe(1230)
    const { stripePaymentIntentId: intent } = order
    await Promise.all([
      sendRefundUpdate('failed', intent),
      sendRefundUpdate('failed', intent),
      sendRefundUpdate('failed', intent),
    ])
    await settlePayouts(system())
    expect(await atStripe(order.id)).toBe(2180)
    expect(await payoutOf(order.id)).toMatchObject({ state: 'sent', deductedCents: 0, sentAgainCents: 950 })
    await refundOrder(ctx, input(order.id, 1400))
    expect(await atStripe(order.id)).toBe(850)
    expect(await payoutOf(order.id)).toMatchObject({ state: 'sent', reversedAtStripeCents: 950 + 1330 })
  })
})

describe('a card fee that Stripe reports late', () => {
  /** Makes a sale whose card fee Stripe has not reported yet. */
  async function sellUnpriced(productType?: 'digital') {
    const sale = await sell(5, undefined, productType ? { productType } : {})
    await db().order.update({ where: { id: sale.order.id }, data: { cardFeeCents: null } })
    await db().transfer.update({ where: { orderId: sale.order.id }, data: { amountCents: 2280 } })
    const payout = () => db().transfer.findUniqueOrThrow({ where: { orderId: sale.order.id } })
    const shown = async () => (await getSellerOrder(sale.ctx, sale.ctx.actor.userId, sale.order.id)).money
    return { ...sale, payout, shown }
  }
  /** Sends `charge.updated`, the event with which Stripe reports the card fee. */
  const learnFee = async (intent: string | null) => {
    const object = { id: 'ch', payment_intent: intent }
    await receiveStripeEvent(system(), stripeEvent('charge.updated', object))
  }

  it.each([
    ['before', 'after'],
    ['after', 'before'],
  ])(
    'is deducted from the payout that a failed refund restores, when the refund fails %s the fee is known',
    async (fails) => {
      const { ctx, order, payout, shown } = await sellUnpriced()
      await refundOrder(ctx, input(order.id, 2400))
      expect(await payout()).toMatchObject({ state: 'reversed', amountCents: 2280, deductedCents: 2280 })
      if (fails === 'before') await sendRefundUpdate('failed', order.stripePaymentIntentId)
      await learnFee(order.stripePaymentIntentId)
      if (fails === 'after') {
        expect(await payout()).toMatchObject({ state: 'reversed', amountCents: 2180, deductedCents: 2180 })
        await sendRefundUpdate('failed', order.stripePaymentIntentId)
      }
      expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 0, cardFeeCents: 100 })
      expect(await payout()).toMatchObject({ state: 'waiting', amountCents: 2180, deductedCents: 0 })
      expect(await shown()).toMatchObject({ netCents: 2180, coveredCents: 0 })
    },
  )

  it('is taken back from a payout that was sent before the fee was known', async () => {
    const { ctx, order, payout } = await sellUnpriced('digital')
    await db().order.update({ where: { id: order.id }, data: { paidAt: new Date(Date.now() - 2 * DAY_MS) } })
    await onboard(await connectPayouts(ctx), 'finish')
    await refreshPayouts(ctx, ctx.actor.userId)
    expect(await payout()).toMatchObject({ state: 'sent', sentCents: 2280 })
    await passDays()
    await sweepCheckouts(system())
    await settlePayouts(system())
    const { data } = await stripe().transfers.list({ transfer_group: order.id })
    expect(data.map(({ amount, amount_reversed }) => amount - amount_reversed)).toEqual([2180])
    expect(await payout()).toMatchObject({ state: 'sent', amountCents: 2180, reversedAtStripeCents: 100 })
  })
})

it('a refund stays pending until the bank confirms it, and then the order is refunded', async () => {
  const { ctx, order } = await sell()
  const said = input(order.id, 2400)
  await refundOrder(ctx, said)
  await db().refund.update({ where: { id: said.refundId }, data: { state: 'pending' } })
  await sendRefundUpdate('pending', order.stripePaymentIntentId)
  expect(await refundOrder(ctx, said)).toBe('pending')
  expect(await orderNow(order.id)).toMatchObject({ status: 'paid', refundedCents: 0 })
  await sendRefundUpdate('succeeded', order.stripePaymentIntentId)
  expect(await refundOrder(ctx, said)).toBe('succeeded')
  expect(await orderNow(order.id)).toMatchObject({ status: 'refunded', refundedCents: 2400 })
})

it('stores the time by which the bank needs an answer to a dispute, and emails the seller once', async () => {
  const { order } = await sell(5, '4000000000000259')
  for (const type of ['charge.dispute.created', 'charge.dispute.updated']) {
    const object = { id: 'du', payment_intent: order.stripePaymentIntentId }
    await receiveStripeEvent(system(), stripeEvent(type, object))
  }
  const { disputes } = await db().order.findUniqueOrThrow({ where: { id: order.id }, include: { disputes: true } })
  expect(disputes[0]!.dueAt!.getTime()).toBeGreaterThan(Date.now())
  expect(await db().outboxMail.count({ where: { dedupeKey: `dispute:${disputes[0]!.id}` } })).toBe(1)
})
