import { closeDatabase, database, db } from '@/lib/infra/db'
import { type Context, systemContext } from '@/lib/infra/context'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { answerDelay } from '@/lib/shipping/answer-delay'
import { askAboutDelays } from '@/lib/shipping/ask-about-delays'
import { lateFrom } from '@/lib/orders/late-rules'
import { lateSql } from '@/lib/orders/late-sql'
import { importTracking } from '@/lib/shipping/import-tracking'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { nudgeLateShipping } from '@/lib/shipping/nudge-late-shipping'
import { proposeShipDay } from '@/lib/shipping/propose-ship-day'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundUnanswered } from '@/lib/refunds/refund-late-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { standIn } from '@/lib/infra/stripe'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const job = () => systemContext('test')
const orderOf = (id: string) =>
  db().order.findUniqueOrThrow({ where: { id }, include: { refunds: true, delays: true } })
const midnight = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS)
const day = (days: number) => dayOf(midnight(days))
const tracking = (orderId: string) => ({ orderId, carrier: 'USPS', trackingNumber: '1' })

/** Makes a paid order whose promised day is this many days from today. */
async function promisedOrder(inDays: number, card?: string) {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, shipsFrom: 'DE', shipsWithin: 7 })
  const { url, sessionId } = await openCheckout(drop.id, { quantity: 2 })
  await pay(url, card)
  await settleCheckout(job(), sessionId)
  const { id, token } = await db().order.update({
    where: { stripeSessionId: sessionId },
    data: { shipsBy: midnight(inDays), paidAt: new Date(Date.now() - 20 * DAY_MS) },
  })
  return { id, token, ctx: contextFor(actorOf(seller)), seller }
}

const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })
/** Moves the time by which the buyer has to answer into the past. */
const passAnswerTime = (orderId: string) =>
  db().shippingDelay.updateMany({ where: { orderId }, data: { answerBy: new Date(Date.now() - 1) } })

it('asks the buyer once, when the promised day has ended everywhere, and notifies the seller', async () => {
  const early = await promisedOrder(0)
  const late = await promisedOrder(-2)
  const plain = await promisedOrder(-30)
  await db().order.update({ where: { id: plain.id }, data: { shipsBy: null } })
  await Promise.all([askAboutDelays(job()), askAboutDelays(job()), askAboutDelays(job())])
  expect(await askAboutDelays(job())).toBe(0)
  expect((await orderOf(early.id)).delays).toEqual([])
  expect((await orderOf(plain.id)).delays).toEqual([])
  const { delays } = await orderOf(late.id)
  expect(delays).toMatchObject([{ missedDay: midnight(-2), newDay: midnight(14), isProposed: false, answer: null }])
  expect(delays[0]!.answerBy.getTime()).toBeGreaterThan(Date.now() + 7 * DAY_MS - HOUR_MS)
  const view = await findBuyerOrder(db(), late.token)
  expect(view?.delay).toMatchObject({ missedDay: day(-2), newDay: day(14) })
  const asked = await db().outboxMail.count({ where: { dedupeKey: { startsWith: `delay:${late.id}` } } })
  expect(asked).toBe(1)
  expect((await mailsTo(late.seller.email)).map(({ subject }) => subject)).toContain('Late: Test mug')
})

it('the time at which an order is late is the same in the database and on the pages', async () => {
  const { id } = await promisedOrder(-2)
  const paidAt = new Date(Date.now() - 3 * DAY_MS)
  for (const shipsBy of [midnight(-2), midnight(5), null]) {
    await db().order.update({ where: { id }, data: { shipsBy, paidAt } })
    const [row] = await database().sql<{ at: Date }>(
      'late-at',
      `SELECT ${lateSql.lateAt} AS "at" FROM "Order" o WHERE o."id" = :id`,
      { id },
    )
    expect(row?.at).toEqual(lateFrom({ shipsBy, paidAt }))
  }
})

it('if the buyer waits, the new day is the promise, the seller is reminded again, and nothing is refunded', async () => {
  const { id, token, seller } = await promisedOrder(-3)
  await db().order.update({ where: { id }, data: { shipNudgedAt: new Date() } })
  await askAboutDelays(job())
  await expect(answerDelay(visitor(), { token, answer: 'wait', day: day(13) })).rejects.toMatchObject({
    code: 'DELAY_CHANGED',
  })
  for (const _press of [1, 2]) await answerDelay(visitor(), { token, answer: 'wait', day: day(14) })
  await expect(answerDelay(visitor(), { token, answer: 'refund', day: day(14) })).rejects.toMatchObject({
    code: 'NOT_LATE',
  })
  await passAnswerTime(id)
  await refundUnanswered(job())
  expect(await orderOf(id)).toMatchObject({
    ...{ status: 'paid', shipsBy: midnight(14), shipNudgedAt: null, lateRefundAt: null, refunds: [] },
  })
  expect((await mailsTo(seller.email)).map(({ subject }) => subject)).toContain('Your buyer will wait: Test mug')
  // When the new day passes, too, the buyer is asked again.
  await db().order.update({ where: { id }, data: { shipsBy: midnight(-2) } })
  await askAboutDelays(job())
  expect((await orderOf(id)).delays).toHaveLength(2)
})

it('if the buyer wants the money, all of it is refunded once, and nothing can be shipped anymore', async () => {
  const { id, token, ctx } = await promisedOrder(-3)
  await askAboutDelays(job())
  const answers = [1, 2, 3].map(() => answerDelay(visitor(), { token, answer: 'refund', day: day(14) }))
  await Promise.all(answers)
  expect(await orderOf(id)).toMatchObject({
    ...{ status: 'refunded', refundedCents: 4800, shippedAt: null },
    refunds: [{ requestedBy: 'late', amountCents: 4800, state: 'succeeded' }],
  })
  await expect(markShipped(ctx, tracking(id))).rejects.toMatchObject({ code: 'NOT_SHIPPABLE' })
  const mail = await db().outboxMail.findMany({ where: { subject: 'Refunded: Test mug', text: { contains: token } } })
  expect(mail.map(({ text }) => text)).toEqual([expect.stringContaining("wasn't shipped by the promised day")])
  const view = await findBuyerOrder(db(), token)
  expect(view?.timeline.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Shipping delayed', "You didn't want to wait", '$48.00 refunded']) as string[],
  )
})

it('without an answer in time, the order is refunded once, however many processes run the job', async () => {
  const { id, seller } = await promisedOrder(-3)
  await askAboutDelays(job())
  await refundUnanswered(job())
  expect((await orderOf(id)).refunds).toEqual([])
  await passAnswerTime(id)
  await Promise.all([1, 2, 3].map(() => refundUnanswered(job())))
  await refundUnanswered(job())
  expect(await orderOf(id)).toMatchObject({
    ...{ status: 'refunded', delays: [{ answer: 'silence' }] },
    refunds: [{ requestedBy: 'late', amountCents: 4800, platformFeeCents: 240 }],
  })
  expect((await mailsTo(seller.email)).map(({ subject }) => subject)).toContain(
    'Refunded because it was late: Test mug',
  )
})

it('a shipped order is not refunded, whether the buyer answers or not', async () => {
  const { id, token, ctx } = await promisedOrder(-3)
  await askAboutDelays(job())
  await markShipped(ctx, tracking(id))
  await passAnswerTime(id)
  await refundUnanswered(job())
  await expect(answerDelay(visitor(), { token, answer: 'refund', day: day(14) })).rejects.toMatchObject({
    code: 'NOT_LATE',
  })
  expect(await orderOf(id)).toMatchObject({ status: 'shipped', refunds: [], lateRefundAt: null })
  expect((await findBuyerOrder(db(), token))?.delay).toBeNull()
})

it('when an order is shipped and refunded at the same moment, only one of the two happens', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, token, ctx } = await promisedOrder(-3)
    await askAboutDelays(job())
    const csv = `order,tracking_number,carrier\n${id},1,DHL`
    const ship = round % 2 ? markShipped(ctx, tracking(id)) : importTracking(ctx, { csv, isDry: false })
    const refund = answerDelay(visitor(), { token, answer: 'refund', day: day(14) })
    await Promise.allSettled(round % 3 ? [ship, refund] : [refund, ship])
    const order = await orderOf(id)
    expect([order.shippedAt !== null, order.refunds.length]).toEqual(
      order.status === 'shipped' ? [true, 0] : [false, 1],
    )
  }
})

it('the database itself refuses an order that is shipped and refunded as late', async () => {
  const { id } = await promisedOrder(-3)
  const both = { lateRefundAt: new Date(), shippedAt: new Date() }
  await expect(db().order.update({ where: { id }, data: both })).rejects.toThrow(/Order_late_not_shipped_check/)
})

it('a refund that Stripe does not make at first stays pending, and the sweep completes it', async () => {
  const { id, token, ctx } = await promisedOrder(-3)
  await askAboutDelays(job())
  await standIn()!.setFaults({
    api: { kind: 'error', path: '/v1/refunds', remaining: 20, delayMs: 0 },
    deliveries: null,
  })
  await answerDelay(visitor(), { token, answer: 'refund', day: day(14) })
  await standIn()!.setFaults({ api: null, deliveries: null })
  expect(await orderOf(id)).toMatchObject({ status: 'paid', refunds: [{ state: 'pending' }] })
  expect((await findBuyerOrder(db(), token))?.isLateRefund).toBe(true)
  // The refund is pending, so neither way of shipping works.
  await expect(markShipped(ctx, tracking(id))).rejects.toMatchObject({ code: 'NOT_SHIPPABLE' })
  const csv = `order,tracking_number,carrier\n${id},1,DHL`
  expect(await importTracking(ctx, { csv, isDry: false })).toMatchObject({ ship: 0, errors: 1 })
  await db().refund.updateMany({ where: { orderId: id }, data: { createdAt: new Date(Date.now() - HOUR_MS) } })
  const later: Context = job()
  await sweepCheckouts(later, { looksForLost: false })
  expect(await orderOf(id)).toMatchObject({ status: 'refunded', refundedCents: 4800 })
})

it('a refund that the bank returns later opens the order again, and the seller is notified', async () => {
  const { id, token, ctx, seller } = await promisedOrder(-3, '4000000000005126')
  await askAboutDelays(job())
  await answerDelay(visitor(), { token, answer: 'refund', day: day(14) })
  await standIn()!.settleDue()
  const { syncRefunds } = await import('@/lib/refunds/sync-refunds')
  await syncRefunds(job(), id)
  expect(await orderOf(id)).toMatchObject({ status: 'paid', lateRefundAt: null, refunds: [{ state: 'failed' }] })
  expect((await mailsTo(seller.email)).map(({ subject }) => subject)).toContain('Refund failed: Test mug')
  await refundUnanswered(job())
  expect((await orderOf(id)).refunds).toHaveLength(1)
  await markShipped(ctx, tracking(id))
})

describe('a new day named by the seller', () => {
  it('asks the buyer right away, replaces the usual day, and can be named once', async () => {
    const { id, token, ctx } = await promisedOrder(2)
    for (const wrong of [day(0), day(2), day(70)]) {
      await expect(proposeShipDay(ctx, { orderId: id, day: wrong })).rejects.toMatchObject({ code: 'BAD_NEW_DAY' })
    }
    for (const _press of [1, 2]) await proposeShipDay(ctx, { orderId: id, day: day(9) })
    await expect(proposeShipDay(ctx, { orderId: id, day: day(10) })).rejects.toMatchObject({ code: 'ALREADY_PROPOSED' })
    const [delay] = (await orderOf(id)).delays
    expect(delay).toMatchObject({ missedDay: midnight(2), newDay: midnight(9), isProposed: true })
    // The buyer has a week after the promised day, although the question came before it.
    expect(delay!.answerBy.getTime()).toBe(midnight(2).getTime() + 36 * HOUR_MS + 7 * DAY_MS)
    await answerDelay(visitor(), { token, answer: 'wait', day: day(9) })
    expect(await orderOf(id)).toMatchObject({ shipsBy: midnight(9) })
  })

  it('changes the question of a late order, but not the time to answer', async () => {
    const { id, token, ctx } = await promisedOrder(-3)
    await askAboutDelays(job())
    const before = (await orderOf(id)).delays[0]!
    await proposeShipDay(ctx, { orderId: id, day: day(4) })
    expect((await orderOf(id)).delays).toMatchObject([{ newDay: midnight(4), answerBy: before.answerBy }])
    expect(await db().outboxMail.count({ where: { dedupeKey: { startsWith: `delay:${id}` } } })).toBe(2)
    await expect(answerDelay(visitor(), { token, answer: 'wait', day: day(14) })).rejects.toMatchObject({
      code: 'DELAY_CHANGED',
    })
  })

  it('is refused to another seller', async () => {
    const { id } = await promisedOrder(2)
    const stranger = contextFor(actorOf(await makeSeller()))
    await expect(proposeShipDay(stranger, { orderId: id, day: day(9) })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

it('warns the seller two days before the promised day, even one who wants no emails about sales', async () => {
  const { seller } = await promisedOrder(2)
  const early = await promisedOrder(3)
  await db().user.update({ where: { id: seller.id }, data: { emailNotifications: false } })
  for (const _run of [1, 2]) await nudgeLateShipping(job())
  const subjects = (await mailsTo(seller.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject === 'Ship soon: Test mug')).toHaveLength(1)
  expect((await mailsTo(early.seller.email)).map(({ subject }) => subject)).not.toContain('Ship soon: Test mug')
})
