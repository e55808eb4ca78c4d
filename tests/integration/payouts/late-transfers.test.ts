import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { DAY_MS } from '@/lib/kernel/time'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { refundOrder } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { rejectRefund } from '@/tests/support/reject-refund'
import {
  AVAILABLE_LATER,
  balanceOf,
  ctx,
  paidCheckout,
  payOutToBank,
  readySeller,
  refund,
  searchAgain,
  sweepAgain,
  transferOf,
} from './payout-support'

// Stripe may carry out a request whose response was an error: "we try to reconcile partially completed operations"
// (docs.stripe.com/error-low-level). Such a transfer can appear after the next attempt has searched for it.
examineMoneyAfterEach()
afterAll(closeDatabase)
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))

/** Lets Stripe fail once on this path without carrying out the request. */
const failOnce = (path: string) =>
  standIn()!.setFaults({ api: { kind: 'error', path, remaining: 1, delayMs: 0 }, deliveries: null })

/** Makes a paid order, and lets Stripe fail on the transfer of its payout. */
async function failedPayout(card?: string) {
  const own = await readySeller()
  const { sessionId } = await paidCheckout(own.seller, card)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  /** Carries out the request that failed. */
  const carryOut = (amount = 2180) =>
    stripe().transfers.create({
      ...{ amount, currency: 'usd', destination: own.account, metadata: { orderId: order.id } },
      source_transaction: order.stripeChargeId ?? '',
    })
  const fail = async () => {
    await failOnce('/v1/transfers')
    await expect(sendTransfers(ctx(), own.seller.id)).rejects.toThrow()
  }
  return { ...own, order, intent: order.stripePaymentIntentId ?? '', carryOut, fail }
}

it('a transfer is found however many others the account got since the payout was fixed', async () => {
  const { order, account, carryOut, fail } = await failedPayout()
  await fail()
  const { id } = await carryOut()
  await db().$executeRaw`
    INSERT INTO "SandboxObject" ("id", "kind", "json", "updatedAt")
    SELECT 'tr_other' || n, "kind", "json" || jsonb_build_object('id', 'tr_other' || n, 'created', ("json"->>'created')::int + 1,
           'metadata', jsonb_build_object('orderId', 'ord_other'), 'transfer_group', 'other'), now()
      FROM "SandboxObject", generate_series(1, 10000) n WHERE "id" = ${id}`
  await sweepAgain()
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', stripeTransferId: id, lastError: null })
  await db().$executeRaw`DELETE FROM "SandboxObject" WHERE "id" LIKE 'tr_other%'`
  expect(await balanceOf(account)).toBe(2180)
})

it('a transfer that Stripe carries out after its order was refunded in full is found and reversed', async () => {
  const { sellerCtx, order, account, carryOut, fail } = await failedPayout()
  await fail()
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', sentCents: null })
  await carryOut()
  await searchAgain()
  expect(await balanceOf(account)).toBe(0)
  expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', sentCents: 2180, reversedAtStripeCents: 2180 })
})

it('a transfer that Stripe carries out after another one was sent in its place is found and reversed', async () => {
  const { sellerCtx, order, account, carryOut, fail } = await failedPayout()
  // Of $24.00, $14.00 is refunded. The charge therefore also pays for a second transfer of $8.50.
  await refundOrder(sellerCtx, refund(order.id, 1400))
  await db().transfer.update({ where: { orderId: order.id }, data: { nextAttemptAt: new Date(0) } })
  await fail()
  await sweepAgain()
  expect(await balanceOf(account)).toBe(850)
  await carryOut(850)
  await searchAgain()
  expect(await balanceOf(account)).toBe(850)
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentAgainCents: 850, reversedAtStripeCents: 850 })
})

it('a transfer that Stripe carries out while the bank decides about a dispute is taken back, and sent again after it was won', async () => {
  const { order, intent, account, carryOut, fail } = await failedPayout()
  await fail()
  await standIn()!.bankDoes(intent, 'dispute')
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  await searchAgain()
  await carryOut()
  await searchAgain()
  expect(await balanceOf(account)).toBe(0)
  const { data } = await stripe().disputes.list({ payment_intent: intent })
  await stripe().disputes.update(data[0]!.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  await standIn()!.settleDue()
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  expect(await balanceOf(account)).toBe(2180)
})

it('a reversal that Stripe carries out after another one was made in its place is found and sent again', async () => {
  const { seller, sellerCtx, order, account } = await failedPayout()
  await sendTransfers(ctx(), seller.id)
  const { stripeTransferId } = await transferOf(order.id)
  await failOnce(`/v1/transfers/${stripeTransferId ?? ''}/reversals`)
  await refundOrder(sellerCtx, refund(order.id, 737))
  await sweepAgain()
  expect(await balanceOf(account)).toBe(1480)
  await stripe().transfers.createReversal(stripeTransferId ?? '', { amount: 700 })
  await searchAgain()
  await sweepAgain()
  expect(await balanceOf(account)).toBe(1480)
  expect(await transferOf(order.id)).toMatchObject({ reversedAtStripeCents: 1400, sentAgainCents: 700 })
})

it('a reversal whose answer is lost is found, even if the bank rejects its refund before the next attempt', async () => {
  const { seller, sellerCtx, order, account, intent } = await failedPayout()
  await sendTransfers(ctx(), seller.id)
  const { stripeTransferId } = await transferOf(order.id)
  const path = `/v1/transfers/${stripeTransferId ?? ''}/reversals`
  await standIn()!.setFaults({
    api: { kind: 'reset-after-commit', path, remaining: null, delayMs: 0 },
    deliveries: null,
  })
  await refundOrder(sellerCtx, refund(order.id, 737)).catch(() => undefined)
  await standIn()!.setFaults({ api: null, deliveries: null })
  expect(await balanceOf(account)).toBe(1480)
  const { data } = await stripe().refunds.list({ payment_intent: intent })
  await rejectRefund(data[0]!.id, order.id)
  await searchAgain()
  await sweepAgain()
  expect(await balanceOf(account)).toBe(2180)
})

it('a payout that was given up while the bank decides about a dispute is pending, and not reversed', async () => {
  const { order, intent, fail } = await failedPayout(AVAILABLE_LATER)
  await fail()
  await standIn()!.bankDoes(intent, 'dispute')
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  await searchAgain()
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', sentCents: null, deductedCents: 0 })
})

it('Stripe is searched ever more rarely for a payout that was given up, and no longer after a month', async () => {
  const { sellerCtx, order, fail } = await failedPayout()
  await fail()
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  await searchAgain()
  const { searchDueAt, unknownSince } = await transferOf(order.id)
  expect(searchDueAt!.getTime()).toBeGreaterThan(unknownSince!.getTime() + 60_000)
  await db().transfer.update({
    where: { orderId: order.id },
    data: { unknownSince: new Date(Date.now() - 31 * DAY_MS) },
  })
  await searchAgain()
  expect(await transferOf(order.id)).toMatchObject({ searchDueAt: null })
})

it('processes that search and send at the same moment take a late transfer back once', async () => {
  const { sellerCtx, order, account, carryOut, fail } = await failedPayout()
  await fail()
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  await carryOut()
  await Promise.all([searchAgain(), searchAgain(), sweepAgain(), searchAgain()])
  await searchAgain()
  expect(await balanceOf(account)).toBe(0)
  expect(await transferOf(order.id)).toMatchObject({
    state: 'reversed',
    reversedAtStripeCents: 2180,
    sentAgainCents: 0,
  })
})

it('a late transfer that the account cannot return becomes a debt', async () => {
  const { seller, sellerCtx, order, account, carryOut, fail } = await failedPayout()
  await fail()
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  await carryOut()
  await payOutToBank(account)
  await searchAgain()
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentCents: 2180, reversedAtStripeCents: 0 })
  // The seller owes the transfer of $21.80 and the card fee of the refunded payment.
  expect(await readUncoveredCents(ctx(), seller.id)).toBe(2280)
})
