import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { readAvailableCents } from '@/lib/refunds/assert-refund-covered'
import { refundOrder, sendRefund } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { withholdDebts } from '@/lib/payouts/withhold-debts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { AVAILABLE_AT_ONCE, openCheckout, passDays, payAndSettle } from '@/tests/support/shop'
import {
  ctx,
  transferOf,
  AVAILABLE_LATER,
  readySeller,
  paidCheckout,
  sale,
  refund,
  balanceOf,
  payOutToBank,
  sweepAgain,
} from './payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)

/** A card whose refunds are pending at first. */
const SLOW_REFUND = '4000000000007726'
/** A card whose bank rejects a refund that has succeeded at first. */
const FAILING_REFUND = '4000000000005126'

it('refunds only what the account can return, once the platform has paid much for refunds of a seller', async () => {
  const { seller, sellerCtx, account } = await readySeller()
  const drop = await makeDrop({ userId: seller.id, productType: 'digital', priceCents: 30_000 })
  const orders = [await sale(seller), await sale(seller), await sale(seller)]
  const [first, second, third] = orders.map(({ id }) => id) as [string, string, string]
  await payOutToBank(account)
  expect(await refundOrder(sellerCtx, refund(first, drop.priceCents))).toBe('succeeded')
  // The platform has paid about $287 of the first refund, so two more at the same time would exceed its limit of $500.
  const notCovered = { code: 'REFUND_NOT_COVERED', status: 409 }
  const both = [second, third].map((id) => refundOrder(sellerCtx, refund(id, 20_000)))
  const outcomes = await Promise.allSettled(both)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = orders.find((_, at) => at > 0 && outcomes[at - 1]?.status === 'rejected')!
  await expect(refundOrder(sellerCtx, refund(refused.id, 20_000))).rejects.toMatchObject(notCovered)
  expect(await db().refund.count({ where: { orderId: refused.id } })).toBe(0)
  // The payout of the next sale is kept to pay the debt, so the limit has room again.
  await sale(seller)
  expect(await refundOrder(sellerCtx, refund(refused.id, 20_000))).toBe('succeeded')
})

it('a refund above the limit of advance payments succeeds while the whole amount is in the account', async () => {
  const { seller, sellerCtx, account } = await readySeller()
  const drop = await makeDrop({ userId: seller.id, productType: 'digital', priceCents: 90_000 })
  const order = await sale(seller, AVAILABLE_LATER)
  const notCovered = { code: 'REFUND_NOT_COVERED', status: 409 }
  // Stripe takes nothing back from money that is still pending.
  await expect(refundOrder(sellerCtx, refund(order.id, drop.priceCents))).rejects.toMatchObject(notCovered)
  const second = await sale(seller)
  expect(await refundOrder(sellerCtx, refund(second.id, drop.priceCents))).toBe('succeeded')
  await sweepAgain()
  await expect(refundOrder(sellerCtx, refund(order.id, drop.priceCents))).rejects.toMatchObject(notCovered)
  // An account that Stripe no longer knows counts as empty.
  await db().sandboxObject.delete({ where: { id: account } })
  await expect(refundOrder(sellerCtx, refund(order.id, drop.priceCents))).rejects.toMatchObject(notCovered)
})

describe('a refund that only the account of the seller can cover', () => {
  const PRICE = 90_000

  /** Makes a sold order of $900 whose payout has left and is available in the account, and whose refund is slow. */
  async function paidOut(card = SLOW_REFUND) {
    const { seller, sellerCtx, account } = await readySeller()
    await makeDrop({ userId: seller.id, productType: 'digital', priceCents: PRICE })
    const order = await sale(seller, card)
    await passDays()
    const sentCents = (await transferOf(order.id)).sentCents ?? 0
    expect(await balanceOf(account)).toBe(sentCents)
    return { seller, sellerCtx, account, order, sentCents }
  }

  it('is sent after the account has returned the money, so the seller cannot pay it out in the meantime', async () => {
    const { seller, sellerCtx, account, order } = await paidOut()
    expect(await refundOrder(sellerCtx, refund(order.id, PRICE))).toBe('pending')
    expect(await balanceOf(account)).toBe(0)
    await sweepAgain()
    // Only the card fee, which Stripe keeps, is not returned.
    expect(await readUncoveredCents(database(), seller.id)).toBeLessThan(5_000)
    await standIn()!.settleDue()
    expect(await syncRefunds(ctx(), order.id)).toBe('refunded')
    expect(await readUncoveredCents(database(), seller.id)).toBeLessThan(5_000)
  })

  /** Records a refund of the whole price. The account has paid the money out to the bank since its balance was read. */
  async function unreturnable() {
    const { sellerCtx, account, order, sentCents } = await paidOut()
    const { sellerId } = order
    const read = { orderId: order.id, sellerId, amountCents: PRICE }
    expect(await readAvailableCents(sellerCtx, read)).toBe(sentCents)
    const id = newId('ref')
    const refundRow = { id, orderId: order.id, amountCents: PRICE, platformFeeCents: 4_500, reason: 'Too small.' }
    await db().refund.create({ data: { ...refundRow, requestedBy: `seller:${sellerId}`, isTakenBackFirst: true } })
    await payOutToBank(account)
    return { id, sellerCtx, order }
  }

  it.each([
    ['fails when the account cannot return the money anymore, and the buyer gets no refund', 1],
    ['fails in the same way when several processes send it at the same moment', 4],
  ])('%s', async (_title, processes) => {
    const { id, sellerCtx, order } = await unreturnable()
    const sends = Array.from({ length: processes }, () => sendRefund(sellerCtx, id))
    for (const { status, ...outcome } of await Promise.allSettled(sends))
      expect({ status, ...outcome }).toMatchObject({ status: 'rejected', reason: { code: 'REFUND_NOT_COVERED' } })
    expect((await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data).toEqual([])
    // The refund is gone, and the buyer's request is open again.
    const left = await db().refund.findMany({ where: { orderId: order.id } })
    expect(left).toMatchObject([{ state: 'requested', reason: 'Too small.', requestedBy: 'buyer' }])
    await sweepAgain()
    expect(await transferOf(order.id)).toMatchObject({ deductedCents: 0, feeOwedCents: 0, reversedAtStripeCents: 0 })
  })

  it('is refused for a payout that was withheld for an older debt, because the account never had that money', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const drop = await makeDrop({ userId: seller.id, productType: 'digital', priceCents: 48_000 })
    const withheld: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const paid = await sale(seller)
      await payOutToBank(account)
      expect(await refundOrder(sellerCtx, refund(paid.id, drop.priceCents))).toBe('succeeded')
      await sweepAgain()
      // The next payout pays the debt, so the limit has room again.
      withheld.push((await sale(seller)).id)
      await sweepAgain()
    }
    const [first, second] = withheld as [string, string]
    expect(await refundOrder(sellerCtx, refund(first, drop.priceCents))).toBe('succeeded')
    const notCovered = { code: 'REFUND_NOT_COVERED', status: 409 }
    await expect(refundOrder(sellerCtx, refund(second, drop.priceCents))).rejects.toMatchObject(notCovered)
    expect(await readUncoveredCents(database(), seller.id)).toBeLessThanOrEqual(50_000)
  })

  it('is withdrawn only once, and a request that the buyer has made meanwhile stays', async () => {
    const { id, sellerCtx, order } = await unreturnable()
    const asked = {
      id: newId('ref'),
      orderId: order.id,
      amountCents: 1,
      platformFeeCents: 0,
      reason: 'Still too small.',
    }
    await db().refund.create({ data: { ...asked, requestedBy: 'buyer', state: 'requested' } })
    await expect(sendRefund(sellerCtx, id)).rejects.toMatchObject({ code: 'REFUND_NOT_COVERED' })
    const left = await db().refund.findMany({ where: { orderId: order.id } })
    expect(left).toMatchObject([{ state: 'requested', reason: 'Still too small.' }])
  })

  it('also takes back a transfer whose response was lost', async () => {
    const { sellerCtx, account, order, sentCents } = await paidOut()
    // As after a refund that the bank rejected: a second transfer was created, and the process ended before noting it.
    await stripe().transfers.createReversal((await transferOf(order.id)).stripeTransferId ?? '', { amount: sentCents })
    const { destination } = await transferOf(order.id)
    await stripe().transfers.create({
      ...{ amount: sentCents, currency: 'usd', destination: destination ?? '', transfer_group: order.id },
      metadata: { orderId: order.id },
    })
    await db().transfer.update({ where: { orderId: order.id }, data: { reversedAtStripeCents: sentCents } })
    expect(await refundOrder(sellerCtx, refund(order.id, PRICE))).toBe('pending')
    expect(await balanceOf(account)).toBe(0)
  })

  it('is refused before it is recorded while the account has less than what is missing for the order', async () => {
    const { sellerCtx, account, order, sentCents } = await paidOut()
    await stripe().payouts.create({ amount: sentCents - 40_000, currency: 'usd' }, { stripeAccount: account })
    const notCovered = { code: 'REFUND_NOT_COVERED', status: 409 }
    await expect(refundOrder(sellerCtx, refund(order.id, PRICE))).rejects.toMatchObject(notCovered)
    expect(await db().refund.count({ where: { orderId: order.id } })).toBe(0)
    expect(await transferOf(order.id)).toMatchObject({ deductedCents: 0 })
    // The platform pays a smaller refund in advance.
    expect(await refundOrder(sellerCtx, refund(order.id, 40_000))).toBe('pending')
  })

  it('leaves the seller the payout when the bank rejects it', async () => {
    const { sellerCtx, account, order, sentCents } = await paidOut(FAILING_REFUND)
    await refundOrder(sellerCtx, refund(order.id, PRICE))
    expect(await balanceOf(account)).toBe(0)
    await standIn()!.settleDue()
    expect(await syncRefunds(ctx(), order.id)).toBe('paid')
    await passDays()
    await sweepAgain()
    expect(await balanceOf(account)).toBe(sentCents)
    expect(await transferOf(order.id)).toMatchObject({ state: 'sent', deductedCents: 0, feeOwedCents: 0 })
  })
})

it('withholds debts although other sellers with debts have nothing left to withhold', async () => {
  /** Makes a seller who owes the card fee of a refund, $1.00, and has one due payout of `priceCents` less its fees. */
  async function debtor(priceCents: number) {
    const seller = await makeSeller()
    const { sessionId } = await paidCheckout(seller)
    const refunded = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
    await refundOrder(contextFor(actorOf(seller)), refund(refunded.id, 2400))
    await db().drop.update({ where: { id: refunded.dropId }, data: { priceCents } })
    const next = await paidCheckout(seller)
    return db().order.findUniqueOrThrow({ where: { stripeSessionId: next.sessionId } })
  }
  const orders = [await debtor(100), await debtor(100), await debtor(2400)]
  // Of the first two sellers, nothing is left to withhold after the first run, and a debt remains.
  for (let run = 0; run < 2; run += 1) await withholdDebts(ctx(), null, 1)
  const withheld = await Promise.all(orders.map(async ({ id }) => (await transferOf(id)).withheldCents))
  expect(withheld).toEqual([62, 62, 100])
})

it('pays at most $500 for parcels with a promised day before they are shipped', async () => {
  const { seller, account } = await readySeller()
  const drop = await makeDrop({ userId: seller.id, priceCents: 20_000, shipsFrom: 'DE', shipsWithin: 30 })
  const orders: string[] = []
  // The first order is above the limit alone, and the second one would leave no room for another. They wait until they
  // are shipped, and do not hold up the others.
  for (const quantity of [3, 2, 1, 1, 1]) {
    const { url, sessionId } = await openCheckout(drop.id, { quantity })
    await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
    orders.push((await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })).id)
  }
  await db().transfer.updateMany({ where: { orderId: { in: orders } }, data: { dueAt: new Date(0) } })
  const send = () => Promise.all([sendTransfers(ctx(), seller.id), sendTransfers(ctx(), seller.id)])
  await send()
  // Each payout is $200.00 less the fee of 5 % and a card fee, so a third one would be above $500.
  const sent = await db().transfer.findMany({ where: { orderId: { in: orders }, state: 'sent' } })
  expect(sent).toHaveLength(2)
  expect(await balanceOf(account)).toBe(sent.reduce((sum, { sentCents }) => sum + (sentCents ?? 0), 0))
  const waiting = orders.slice(1).filter((id) => sent.every(({ orderId }) => orderId !== id))
  expect(waiting).toHaveLength(2)
  expect(waiting[0]).toBe(orders[1])
  expect(sent.map(({ orderId }) => orderId)).not.toContain(orders[0])
  await db().order.update({ where: { id: waiting[0]! }, data: { status: 'shipped', shippedAt: new Date() } })
  await send()
  expect((await transferOf(waiting[0]!)).state).toBe('sent')
  expect((await transferOf(waiting[1]!)).state).toBe('waiting')
})

it('a payout waits while a refund of its order is pending, and refunds cannot be repeated without end', async () => {
  const { seller, sellerCtx } = await readySeller()
  await makeDrop({ userId: seller.id, productType: 'digital', priceCents: 5_000 })
  const { sessionId } = await paidCheckout(seller)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  for (let count = 0; count < 20; count += 1) await refundOrder(sellerCtx, refund(order.id, 1))
  await expect(refundOrder(sellerCtx, refund(order.id, 1))).rejects.toMatchObject({ code: 'REFUNDED_OFTEN' })
  await db().refund.updateMany({ where: { orderId: order.id }, data: { state: 'pending' } })
  await sweepAgain()
  expect((await transferOf(order.id)).state).toBe('waiting')
  await db().refund.updateMany({ where: { orderId: order.id }, data: { state: 'succeeded' } })
  await sweepAgain()
  expect((await transferOf(order.id)).state).toBe('sent')
  expect(await refundOrder(sellerCtx, refund(order.id, 5_000 - 20))).toBe('succeeded')
  await expect(refundOrder(sellerCtx, refund(order.id, 9_000))).rejects.toMatchObject({ code: 'REFUND_TOO_LARGE' })
})
