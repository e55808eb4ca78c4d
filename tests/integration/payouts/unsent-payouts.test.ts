import type { Order } from '@prisma/client'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { DAY_MS } from '@/lib/kernel/time'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { refundOrder } from '@/lib/refunds/refund-order'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import {
  AVAILABLE_LATER,
  balanceOf,
  ctx,
  paidCheckout,
  readySeller,
  refund,
  sweepAgain,
  transferOf,
} from './payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)
afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))

/** Makes a paid order whose payout was requested from Stripe, but which Stripe failed to send. */
async function unsentPayout(card?: string) {
  const own = await readySeller()
  const { sessionId } = await paidCheckout(own.seller, card)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  const fault = { kind: 'error', path: '/v1/transfers', remaining: 1, delayMs: 0 } as const
  await standIn()!.setFaults({ api: fault, deliveries: null })
  await expect(sendTransfers(ctx(), own.seller.id)).rejects.toThrow()
  await standIn()!.setFaults({ api: null, deliveries: null })
  const sentAtStripe = async () =>
    (await stripe().transfers.list({ destination: own.account })).data.map(({ amount }) => amount)
  return { ...own, order, intent: order.stripePaymentIntentId ?? '', sentAtStripe }
}

/** Makes a transfer at Stripe, as the request of a process that was stopped for a long time. @returns its id */
async function sendLate({ id: orderId, stripeChargeId }: Order, account: string) {
  const { id } = await stripe().transfers.create({
    ...{ amount: 2180, currency: 'usd', destination: account, metadata: { orderId } },
    source_transaction: stripeChargeId ?? '',
  })
  return id
}

/** Lets the seller win the dispute of a payment, and runs the sweep. */
async function winDispute(orderId: string, intent: string) {
  const { data } = await stripe().disputes.list({ payment_intent: intent })
  await stripe().disputes.update(data[0]!.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  await standIn()!.settleDue()
  await syncRefunds(ctx(), orderId)
  await sweepAgain()
}

it('a payout that was not sent yet waits while the bank decides about a dispute, and is sent after it was won', async () => {
  const { order, intent, account, sentAtStripe } = await unsentPayout(AVAILABLE_LATER)
  await standIn()!.bankDoes(intent, 'dispute')
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  expect(await sentAtStripe()).toEqual([])
  expect(await transferOf(order.id)).toMatchObject({ sentCents: null, sentAt: null })
  await winDispute(order.id, intent)
  expect(await sentAtStripe()).toEqual([2180])
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentCents: 2180, destination: account })
})

it('a payout that was not sent yet is sent without what was refunded since', async () => {
  const { sellerCtx, order, account, sentAtStripe } = await unsentPayout()
  await refundOrder(sellerCtx, refund(order.id, 737))
  await sweepAgain()
  await sweepAgain()
  expect([await sentAtStripe(), await balanceOf(account)]).toEqual([[1480], 1480])
})

it('a payout that was not sent yet is not sent after its order was refunded in full', async () => {
  const { sellerCtx, order, sentAtStripe } = await unsentPayout(AVAILABLE_LATER)
  await refundOrder(sellerCtx, refund(order.id, 2400))
  await sweepAgain()
  expect(await sentAtStripe()).toEqual([])
  expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', sentCents: null })
})

it('a payout that was given up still goes to the account of its first attempt, so that a second one is not paid too', async () => {
  const { seller, order, intent, account, sentAtStripe } = await unsentPayout(AVAILABLE_LATER)
  await standIn()!.bankDoes(intent, 'dispute')
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  const id = await sendLate(order, account)
  const other = await readySeller()
  await db().user.update({ where: { id: other.seller.id }, data: { stripeAccountId: null } })
  await db().user.update({ where: { id: seller.id }, data: { stripeAccountId: other.account } })
  await winDispute(order.id, intent)
  expect([await sentAtStripe(), await balanceOf(other.account)]).toEqual([[2180], 0])
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', stripeTransferId: id, destination: account })
})

it('a transfer that takes effect only after its payout was given up is found, however much later the payout is due again', async () => {
  const { order, intent, account, sentAtStripe } = await unsentPayout(AVAILABLE_LATER)
  const weeksAgo = new Date(Date.now() - 40 * DAY_MS)
  await db().transfer.update({ where: { orderId: order.id }, data: { frozenAt: weeksAgo } })
  await standIn()!.bankDoes(intent, 'dispute')
  await syncRefunds(ctx(), order.id)
  await sweepAgain()
  // The process of the first attempt was stopped for a long time, and dies as soon as it has sent the request.
  const id = await sendLate(order, account)
  await db().$executeRaw`
    UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{created}', to_jsonb(${Math.floor(weeksAgo.getTime() / 1000) + 90}::int))
     WHERE "id" = ${id}`
  await winDispute(order.id, intent)
  expect(await sentAtStripe()).toEqual([2180])
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', stripeTransferId: id, lastError: null })
})
