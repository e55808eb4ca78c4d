import { updateAccount } from '@/lib/accounts/update-account'
import { listOrders } from '@/lib/admin/ledger-queries'
import { readHealth } from '@/lib/admin/read-overview'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { getPayoutSummary, listPayoutLines } from '@/lib/payouts/queries'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { settlePayouts } from '@/lib/payouts/settle-payouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { rejectRefund } from '@/tests/support/reject-refund'
import { openCheckout, passDays, pay } from '@/tests/support/shop'
import {
  ctx,
  transferOf,
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

const PAYS = '4242424242424242'

// docs.stripe.com/connect/separate-charges-and-transfers (docs/stripe-rules.md, A1) says: "If you provide a
// source_transaction, the transfer_group is that of the charge, or is generated from the payment." A search by any
// other group would miss the transfer, and the seller would be paid twice.
describe('the group of a transfer is that of its charge', () => {
  it('a partial refund after the payout leaves the seller the rest, and no second payout is sent', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    expect(await balanceOf(account)).toBe(2180)
    // The seller bears 95 % of the refunded $7.37.
    await refundOrder(sellerCtx, refund(order.id, 737))
    await sweepAgain()
    expect(await balanceOf(account)).toBe(1480)
    await sweepAgain()
    expect(await balanceOf(account)).toBe(1480)
    const charge = await stripe().charges.retrieve(order.stripeChargeId ?? '')
    expect(charge.transfer_group).toBe(order.id)
  })

  it('a full refund after the payout leaves only the card fee as a debt', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    await refundOrder(sellerCtx, refund(order.id, 2400))
    await sweepAgain()
    expect(await balanceOf(account)).toBe(0)
    expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', deductedCents: 2180, feeOwedCents: 100 })
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 100, sentCents: 0 })
  })

  it('a payment without our group gets a group from Stripe, and its payout is still found', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const { sessionId } = await paidCheckout(seller)
    const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
    const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: order.stripeChargeId ?? '' } })
    const without = { ...(json as object), transfer_group: null }
    await db().sandboxObject.update({ where: { id: order.stripeChargeId ?? '' }, data: { json: without } })
    await sendTransfers(ctx(), seller.id)
    const { stripeTransferId } = await transferOf(order.id)
    const sent = await stripe().transfers.retrieve(stripeTransferId ?? '')
    expect(sent.transfer_group).toBe(`group_${order.stripePaymentIntentId ?? ''}`)
    await refundOrder(sellerCtx, refund(order.id, 737))
    expect(await balanceOf(account)).toBe(1480)
  })

  // Stripe may remove keys after 24 hours: docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A12).
  it('after a crash, a transfer is found by destination and metadata when its idempotency key has expired', async () => {
    const { seller, account } = await readySeller()
    const other = await sale(seller)
    const order = await sale(seller)
    await db().transfer.update({
      where: { orderId: order.id },
      data: { state: 'waiting', stripeTransferId: null, sentAt: null, attempts: 1, nextAttemptAt: new Date(0) },
    })
    await db().sandboxIdempotencyKey.deleteMany({})
    await sendTransfers(ctx(), seller.id)
    expect(await balanceOf(account)).toBe(2 * 2180)
    expect((await transferOf(order.id)).stripeTransferId).not.toBe((await transferOf(other.id)).stripeTransferId)
  })
})

// The connected account's available balance must cover a reversal:
// docs.stripe.com/connect/separate-charges-and-transfers, "Reverse transfers".
describe('a seller whose balance is empty', () => {
  it('owes the money as a debt, which later payouts repay', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const first = await sale(seller)
    await payOutToBank(account)
    const lines: string[] = []
    const info = (_: object, line: string) => void lines.push(line)
    const log = Object.assign(Object.create(sellerCtx.log) as typeof sellerCtx.log, { info })
    await refundOrder({ ...sellerCtx, log }, refund(first.id, 2400))
    expect(lines).not.toContain('payout settled')
    expect(await transferOf(first.id)).toMatchObject({ deductedCents: 2180, reversedAtStripeCents: 0, refusals: 1 })
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 2280 })

    // The platform keeps all $21.80 of the next sale. The sale after that repays the last dollar and leaves $20.80.
    const second = await sale(seller)
    expect(await transferOf(second.id)).toMatchObject({ state: 'sent', sentCents: 0, withheldCents: 2180 })
    expect(await balanceOf(account)).toBe(0)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 100 })
    const third = await sale(seller)
    expect(await transferOf(third.id)).toMatchObject({ state: 'sent', sentCents: 2080, withheldCents: 100 })
    expect(await balanceOf(account)).toBe(2080)
    await sweepAgain()
    expect(await balanceOf(account)).toBe(2080)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0, sentCents: 2080 + 2180 })
    expect(await transferOf(first.id)).toMatchObject({ recoveredCents: 2280, reversalRefusedAt: null })

    const [thirdLine, , firstLine] = await listPayoutLines(db(), seller.id, 10)
    expect(thirdLine).toMatchObject({ payoutCents: 2080, withheldCents: 100, debtCents: 0 })
    expect(firstLine).toMatchObject({ feeOwedCents: 100, recoveredCents: 2280, debtCents: 0 })
  })

  it('is asked for an old debt only daily, and later weekly, because each try reads from Stripe', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    await payOutToBank(account)
    await refundOrder(sellerCtx, refund(order.id, 2400))
    const { id } = await transferOf(order.id)
    const daysUntilNext = async (refusedDaysAgo: number) => {
      const reversalRefusedAt = new Date(Date.now() - refusedDaysAgo * 86_400_000)
      await db().transfer.update({ where: { id }, data: { reversalRefusedAt, nextAttemptAt: new Date(0) } })
      await settlePayouts(ctx())
      return Math.round(((await transferOf(order.id)).nextAttemptAt.getTime() - Date.now()) / 86_400_000)
    }
    expect([await daysUntilNext(0), await daysUntilNext(2), await daysUntilNext(8)]).toEqual([0, 1, 7])
  })

  it('repays under a new idempotency key once there is money, even when the amount has changed', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    await payOutToBank(account)
    await refundOrder(sellerCtx, refund(order.id, 1000))
    // The amount changes while Stripe still stores the first refusal under its idempotency key.
    await refundOrder(sellerCtx, refund(order.id, 400))
    await sweepAgain()
    expect((await transferOf(order.id)).refusals).toBeGreaterThanOrEqual(2)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 1330 })
    await stripe().transfers.create({ amount: 5000, currency: 'usd', destination: account })
    await sweepAgain()
    expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 1330, reversalRefusedAt: null })
    expect(await balanceOf(account)).toBe(5000 - 1330)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0 })
  })

  it('repays a debt once, even when several processes send payouts at once', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    await refundOrder(sellerCtx, refund(order.id, 2400))
    for (let count = 0; count < 3; count += 1) await paidCheckout(seller)
    await Promise.all(Array.from({ length: 8 }, () => sendTransfers(ctx(), seller.id)))
    expect(await balanceOf(account)).toBe(3 * 2180 - 100)
    expect(await db().payoutOffset.count({ where: { sellerId: seller.id } })).toBe(1)
  })

  it('owes a partial refund of a sale whose whole payout was withheld for an older debt', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const first = await sale(seller)
    await payOutToBank(account)
    await refundOrder(sellerCtx, refund(first.id, 2400))
    const second = await sale(seller)
    expect(await transferOf(second.id)).toMatchObject({ sentCents: 0, withheldCents: 2180 })
    const { debtCents: before } = await getPayoutSummary(database(), seller.id)
    await refundOrder(sellerCtx, refund(second.id, 2200))
    const { debtCents } = await getPayoutSummary(database(), seller.id)
    expect(debtCents - before).toBe(2090)
    await sale(seller)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: Math.max(0, debtCents - 2180) })
  })

  it('gets the repaid debt back when the bank rejects the refund afterwards', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    await refundOrder(sellerCtx, refund(order.id, 2400))
    await sale(seller)
    expect(await balanceOf(account)).toBe(2080)
    const [sent] = (await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data
    await rejectRefund(sent!.id, order.id)
    await sweepAgain()
    expect(await balanceOf(account)).toBe(2 * 2180)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0 })
  })
})

// Money transferred from a charge stays pending as long as the charge, and pending money does not cover a reversal:
// docs.stripe.com/connect/separate-charges-and-transfers (docs/stripe-rules.md, A6).
describe('a seller whose available balance does not cover a reversal', () => {
  it('owes a refund until the money is available and can be reversed', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller, PAYS)
    const { available, pending } = await stripe().balance.retrieve({}, { stripeAccount: account })
    expect([available[0]?.amount, pending[0]?.amount]).toEqual([0, 2180])
    await refundOrder(sellerCtx, refund(order.id, 1000))
    expect(await transferOf(order.id)).toMatchObject({ state: 'sent', reversedAtStripeCents: 0, refusals: 1 })
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 950 })
    await sweepAgain()
    expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 0, refusals: 2 })
    await passDays()
    await sweepAgain()
    expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 950, reversalRefusedAt: null })
    expect(await balanceOf(account)).toBe(1230)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0 })
  })

  it('repays from the next sale what could not be reversed, and the transfer is not reversed afterwards', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const first = await sale(seller, PAYS)
    await refundOrder(sellerCtx, refund(first.id, 1000))
    const second = await sale(seller, PAYS)
    expect(await transferOf(second.id)).toMatchObject({ sentCents: 2180 - 950, withheldCents: 950 })
    await passDays()
    await sweepAgain()
    await sweepAgain()
    expect(await transferOf(first.id)).toMatchObject({ reversedAtStripeCents: 0, recoveredCents: 950 })
    expect(await balanceOf(account)).toBe(2 * 2180 - 950)
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0 })
  })

  // docs.stripe.com/connect/risk-management/best-practices says that Stripe makes the reversal and the balance of the
  // account becomes negative.
  it('owes nothing when Stripe makes the reversal and the balance becomes negative', async () => {
    await standIn()!.setFaults({ api: null, deliveries: null, overdraws: true })
    try {
      const { seller, sellerCtx, account } = await readySeller()
      const order = await sale(seller)
      await payOutToBank(account)
      await refundOrder(sellerCtx, refund(order.id, 1000))
      expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 950, reversalRefusedAt: null })
      expect(await balanceOf(account)).toBe(-950)
      expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0 })
    } finally {
      await standIn()!.setFaults({ api: null, deliveries: null })
    }
  })
})

// A transfer without source_transaction is paid from the platform's available balance:
// docs.stripe.com/connect/separate-charges-and-transfers (docs/stripe-rules.md, A5).
describe('a platform whose balance is empty', () => {
  it('sends the payout once it has money, under a new idempotency key each time', async () => {
    const { seller, sellerCtx, account } = await readySeller()
    const order = await sale(seller)
    await refundOrder(sellerCtx, refund(order.id, 1000))
    expect(await balanceOf(account)).toBe(1230)
    const platform = (await stripe().balance.retrieve()).available[0]?.amount ?? 0
    await stripe().payouts.create({ amount: platform, currency: 'usd' })
    const [sent] = (await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data
    await rejectRefund(sent!.id, order.id)
    await sweepAgain()
    expect(await balanceOf(account)).toBe(1230)
    expect(await transferOf(order.id)).toMatchObject({ lastError: expect.stringContaining('insufficient') })
    await db().sandboxObject.deleteMany({ where: { kind: 'payout' } })
    await db().sandboxObject.deleteMany({
      where: { kind: 'balance_transaction', json: { path: ['type'], equals: 'payout' } },
    })
    await sweepAgain()
    expect(await balanceOf(account)).toBe(2180)
  })
})

// Stripe returns `account_invalid` as a permission error (403) and not as a missing object: docs.stripe.com/error-codes
// (docs/stripe-rules.md, A3).
it('a deleted account does not delay the payouts of other sellers, and its seller can connect again', async () => {
  const disconnected = await readySeller()
  const other = await readySeller()
  const lost = await sale(disconnected.seller)
  await db().transfer.update({
    where: { orderId: lost.id },
    data: { state: 'waiting', sentAt: null, stripeTransferId: null, sentCents: null, destination: null, attempts: 0 },
  })
  await db().user.update({ where: { id: disconnected.seller.id }, data: { payoutsState: 'paused' } })
  await db().sandboxObject.delete({ where: { id: disconnected.account } })
  await paidCheckout(other.seller)
  await sweepAgain()
  expect(await balanceOf(other.account)).toBe(2180)
  expect(await getPayoutSummary(database(), disconnected.seller.id)).toMatchObject({
    state: 'disconnected',
    waitingCents: 2180,
  })
  expect(await connectPayouts(disconnected.sellerCtx)).toContain('/sandbox/connect/')
})

it('a payment that Stripe settles in another currency is not paid out, and seller and administrators see why', async () => {
  const { seller, sellerCtx } = await readySeller()
  const before = (await readHealth(database())).payoutsInOtherCurrency
  const drop = await makeDrop({ userId: seller.id, productType: 'digital' })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  const [movement] = (await stripe().balanceTransactions.list({ type: 'charge', limit: 1 })).data
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: movement?.id ?? '' } })
  const inEuros = { ...(json as object), currency: 'eur', exchange_rate: 0.9, fee: 90 }
  await db().sandboxObject.update({ where: { id: movement?.id ?? '' }, data: { json: inEuros } })
  await settleCheckout(ctx(), sessionId)
  await sendTransfers(ctx(), seller.id)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  expect(order).toMatchObject({ settlementCurrency: 'eur', cardFeeCents: 100 })
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', sentCents: null, amountCents: 2180 })

  expect((await readHealth(database())).payoutsInOtherCurrency).toBe(before + 1)
  const listed = await listOrders(database(), { show: 'currency', q: order.id })
  expect(listed).toMatchObject([{ id: order.id, transfer: 'waiting', settledIn: 'EUR' }])
  expect(await listPayoutLines(db(), seller.id, 10)).toMatchObject([{ orderId: order.id, settledIn: 'EUR' }])
  expect((await getSellerOrder(sellerCtx, seller.id, order.id)).payout).toMatchObject({ settledIn: 'EUR' })

  // A payment that is settled in dollars is not counted or listed.
  const usual = await sale(seller)
  expect((await readHealth(database())).payoutsInOtherCurrency).toBe(before + 1)
  expect(await listOrders(database(), { show: 'currency', q: usual.id })).toEqual([])
  expect((await getSellerOrder(sellerCtx, seller.id, usual.id)).payout).toMatchObject({ settledIn: null })
})

it('an administrator stops the payouts of a seller, and nothing is sent until they are released', async () => {
  const { seller, account } = await readySeller()
  const admin = await makeSeller({ isAdmin: true })
  const adminCtx = contextFor({ ...actorOf(admin), hasTwoFactor: true, steppedUpAt: new Date() })
  await updateAccount(adminCtx, seller.id, { payoutHoldDays: 7 })
  const order = await sale(seller)
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', sentCents: null })
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ isStopped: true, heldUntil: expect.any(Date) })
  await updateAccount(adminCtx, seller.id, { payoutHoldDays: 0 })
  await sendTransfers(ctx(), seller.id)
  expect(await balanceOf(account)).toBe(2180)
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ isStopped: false, heldUntil: null })
})

it('settlePayouts() returns 0 when all payouts are settled', async () => {
  const { seller } = await readySeller()
  await sale(seller)
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  expect(await settlePayouts(ctx())).toBe(0)
})
