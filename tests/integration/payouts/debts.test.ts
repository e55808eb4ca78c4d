import { updateAccount } from '@/lib/accounts/update-account'
import { listOrders } from '@/lib/admin/ledger-queries'
import { readHealth } from '@/lib/admin/read-overview'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { readCoverCents } from '@/lib/orders/assert-refund-covered'
import { refundOrder, sendRefund } from '@/lib/orders/refund-order'
import { settleCheckout } from '@/lib/orders/settle-checkout'
import { syncRefunds } from '@/lib/orders/sync-refunds'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { getPayoutSummary, listPayoutLines } from '@/lib/payouts/queries'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { settlePayouts } from '@/lib/payouts/settle-payouts'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { withholdDebts } from '@/lib/payouts/withhold-debts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { AVAILABLE_AT_ONCE, onboard, openCheckout, passDays, pay, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const PAYS = '4242424242424242'
const transferOf = (orderId: string) => db().transfer.findUniqueOrThrow({ where: { orderId } })

/** Creates a seller whose connected account is ready. @returns the seller, a context, and the id of the account. */
const AVAILABLE_LATER = '4242424242424242'
/** A card whose refunds are pending at first. */
const SLOW_REFUND = '4000000000007726'
/** A card whose bank rejects a refund that has succeeded at first. */
const FAILING_REFUND = '4000000000005126'

async function readySeller() {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(sellerCtx), 'finish')
  await refreshPayouts(sellerCtx, seller.id)
  const { stripeAccountId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  return { seller, sellerCtx, account: stripeAccountId ?? '' }
}

/** Returns the drop of a seller, and creates it on the first call. The free plan allows only one live drop. */
async function dropOf(seller: { id: number }) {
  const drop = await db().drop.findFirst({ where: { userId: seller.id } })
  return drop ?? makeDrop({ userId: seller.id, productType: 'digital' })
}

async function paidCheckout(seller: { id: number }, card = AVAILABLE_AT_ONCE) {
  const { url, sessionId } = await openCheckout((await dropOf(seller)).id)
  await payAndSettle(url, sessionId, card)
  return { sessionId }
}

/**
 * Makes a paid order of a digital drop and sends its payout. $24.00 less the fee of 5 % and a card fee of $1.00 leaves
 * $21.80.
 */
async function sale(seller: { id: number }, card = AVAILABLE_AT_ONCE) {
  const { sessionId } = await paidCheckout(seller, card)
  await sendTransfers(ctx(), seller.id)
  return db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
}

const refund = (orderId: string, amountCents: number) => ({
  orderId,
  refundId: newId('ref'),
  amountCents,
  restockUnits: 0,
})

/** Returns the available balance of a connected account at Stripe in cents. */
async function balanceOf(account: string): Promise<number> {
  const { available } = await stripe().balance.retrieve({}, { stripeAccount: account })
  return available[0]?.amount ?? 0
}

/** Pays the available balance of a seller's account out to the bank, as Stripe's automatic payouts do. */
async function payOutToBank(account: string): Promise<void> {
  const amount = await balanceOf(account)
  await stripe().payouts.create({ amount, currency: 'usd' }, { stripeAccount: account })
}

/** Clears the pauses between attempts and runs the sweep of payouts again. */
async function sweepAgain(): Promise<void> {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepPayouts(ctx())
}

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
    const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: sent?.id ?? '' } })
    const failed = { ...(json as object), status: 'failed' }
    await db().sandboxObject.update({ where: { id: sent?.id ?? '' }, data: { json: failed } })
    await syncRefunds(ctx(), order.id)
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
    const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: sent?.id ?? '' } })
    const failed = { ...(json as object), status: 'failed' }
    await db().sandboxObject.update({ where: { id: sent?.id ?? '' }, data: { json: failed } })
    await syncRefunds(ctx(), order.id)
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

  it('fails when the account cannot return the money anymore, and the buyer gets no refund', async () => {
    const { sellerCtx, account, order, sentCents } = await paidOut()
    // The balance was read just before Stripe paid it out to the bank.
    const { sellerId } = order
    const cover = await readCoverCents(sellerCtx, { orderId: order.id, sellerId, amountCents: PRICE })
    expect(cover).toBe(50_000 + sentCents)
    const id = newId('ref')
    await db().refund.create({
      data: {
        ...{ id, orderId: order.id, amountCents: PRICE, platformFeeCents: 4_500, reason: '' },
        ...{ requestedBy: `seller:${sellerId}`, isTakenBackFirst: true },
      },
    })
    await db().transfer.update({ where: { orderId: order.id }, data: { deductedCents: sentCents } })
    await payOutToBank(account)
    await expect(sendRefund(sellerCtx, id)).rejects.toMatchObject({ code: 'REFUND_NOT_COVERED' })
    expect((await stripe().refunds.list({ payment_intent: order.stripePaymentIntentId ?? '' })).data).toEqual([])
    expect(await db().refund.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: 'failed' })
    await sweepAgain()
    expect(await transferOf(order.id)).toMatchObject({ deductedCents: 0, feeOwedCents: 0, reversedAtStripeCents: 0 })
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
  // The first order is above the limit alone. It waits until it is shipped, and does not hold up the others.
  for (const quantity of [3, 1, 1, 1, 1]) {
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
