import { transaction } from '@/lib/infra/context'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { getPayoutSummary } from '@/lib/payouts/queries'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { recordDeduction, settleOrderPayout } from '@/lib/payouts/record-deduction'
import { sendTransfers } from '@/lib/payouts/send-transfers'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { onboard, openCheckout, passDays, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const ctx = () => systemContext('test')
const transferOf = (orderId: string) => db().transfer.findUniqueOrThrow({ where: { orderId } })

/** Makes a paid order. $24.00 less the fee of 5 % and a card fee of $1.00 leaves a payout of $21.80. */
async function sale(productType: 'digital' | 'physical' = 'digital') {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, productType })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { seller, order, sellerCtx: contextFor(actorOf(seller)) }
}

/** Deducts a refund from the payout of its order, as recording the refund does. */
async function deduct(orderId: string, amountCents: number): Promise<void> {
  await transaction(ctx(), (tx) => recordDeduction(tx, { orderId, amountCents, feeOwedCents: 0 }))
  await settleOrderPayout(ctx(), orderId)
}

it('keeps the payout until the seller has connected payouts, and sends it when the account is ready', async () => {
  const { seller, order, sellerCtx } = await sale()
  await sweepPayouts(ctx())
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', amountCents: 2180, sentCents: null })
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({
    state: 'notStarted',
    waitingCents: 2180,
    sentCents: 0,
  })

  const url = await connectPayouts(sellerCtx)
  expect(await refreshPayouts(sellerCtx, seller.id)).toBe('incomplete')
  expect(await onboard(url, 'review')).toBe('http://localhost:3000/payouts?connected=1')
  expect(await refreshPayouts(sellerCtx, seller.id)).toBe('review')
  await onboard(url, 'approve')
  await onboard(url, 'restrict')
  const pauses = () => db().outboxMail.count({ where: { to: seller.email, subject: 'Your payouts are paused' } })
  expect(await pauses()).toBe(0)
  // Several calls notice the pause at the same time, and the seller gets one email.
  await Promise.all(Array.from({ length: 5 }, () => refreshPayouts(sellerCtx, seller.id)))
  expect(await refreshPayouts(sellerCtx, seller.id)).toBe('paused')
  expect(await pauses()).toBe(1)
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', sentCents: null })
  await onboard(await connectPayouts(sellerCtx), 'finish')
  expect(await refreshPayouts(sellerCtx, seller.id)).toBe('ready')

  const sent = await transferOf(order.id)
  expect(sent).toMatchObject({ state: 'sent', sentCents: 2180 })
  const account = (await db().user.findUniqueOrThrow({ where: { id: seller.id } })).stripeAccountId
  expect(await stripe().transfers.retrieve(sent.stripeTransferId ?? '')).toMatchObject({
    amount: 2180,
    destination: account,
    source_transaction: order.stripeChargeId,
    transfer_group: order.id,
  })
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({
    state: 'ready',
    waitingCents: 0,
    onTheWayCents: 2180,
  })
})

it('opens one account for simultaneous requests of one seller', async () => {
  const seller = await makeSeller()
  await Promise.all(Array.from({ length: 8 }, () => connectPayouts(contextFor(actorOf(seller)))))
  const { stripeAccountId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  const accounts = await db().sandboxObject.count({
    where: { kind: 'account', json: { path: ['metadata', 'userId'], equals: String(seller.id) } },
  })
  expect({ accounts, hasAccount: Boolean(stripeAccountId) }).toEqual({ accounts: 1, hasAccount: true })
})

async function readySale(productType: 'digital' | 'physical' = 'digital') {
  const made = await sale(productType)
  await onboard(await connectPayouts(made.sellerCtx), 'finish')
  await refreshPayouts(made.sellerCtx, made.seller.id)
  return made
}

it('opens the account in the country that the seller chose, or else in the platform’s country', async () => {
  // docs.stripe.com/connect/account-capabilities (docs/stripe-rules.md, B6)
  const countryOf = async (input?: { country: 'DE' }) => {
    const seller = await makeSeller()
    await connectPayouts(contextFor(actorOf(seller)), input)
    const { stripeAccountId } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
    return (await stripe().accounts.retrieve(stripeAccountId ?? '')).country
  }
  expect(await countryOf({ country: 'DE' })).toBe('DE')
  expect(await countryOf()).toBe('US')
})

it('sends the payout of a physical order once the payout is due, and not before', async () => {
  const { seller, order } = await readySale('physical')
  await sendTransfers(ctx(), seller.id)
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting' })
  await db().transfer.update({ where: { orderId: order.id }, data: { dueAt: new Date(Date.now() - 1000) } })
  await sendTransfers(ctx(), seller.id)
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent' })
})

it('sends a payout once, even when several calls try at the same time', async () => {
  const { seller, order } = await readySale('physical')
  await db().transfer.update({ where: { orderId: order.id }, data: { dueAt: new Date(Date.now() - 1000) } })
  await Promise.all(Array.from({ length: 10 }, () => sendTransfers(ctx(), seller.id)))
  expect((await stripe().transfers.list({ transfer_group: order.id })).data).toHaveLength(1)
})

// docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A12)
it('finds the transfer of a payout at Stripe when the process died before storing Stripe’s response', async () => {
  const { seller, order } = await readySale()
  await db().transfer.update({
    where: { orderId: order.id },
    data: { state: 'waiting', stripeTransferId: null, sentAt: null, attempts: 1, nextAttemptAt: new Date(0) },
  })
  await db().sandboxIdempotencyKey.deleteMany({ where: { key: `transfer-${order.id}` } })
  await sendTransfers(ctx(), seller.id)
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent' })
  expect((await stripe().transfers.list({ transfer_group: order.id })).data).toHaveLength(1)
})

it('a payout waits while the account is restricted, and is sent when the account is ready again', async () => {
  const { seller, order, sellerCtx } = await sale()
  const url = await connectPayouts(sellerCtx)
  await onboard(url, 'finish')
  await db().user.update({ where: { id: seller.id }, data: { payoutsState: 'ready' } })
  await onboard(url, 'restrict')
  await sendTransfers(ctx(), seller.id)
  expect(await transferOf(order.id)).toMatchObject({ state: 'waiting', sentCents: null, refusals: 1 })
  expect((await getPayoutSummary(database(), seller.id)).state).toBe('paused')
  await onboard(await connectPayouts(sellerCtx), 'finish')
  await db().transfer.update({ where: { orderId: order.id }, data: { nextAttemptAt: new Date(0) } })
  expect(await refreshPayouts(sellerCtx, seller.id)).toBe('ready')
  expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentCents: 2180 })
})

describe('a refund', () => {
  it('that comes before the transfer reduces the amount that is sent', async () => {
    const { seller, order } = await readySale('physical')
    await deduct(order.id, 1000)
    await db().transfer.update({ where: { orderId: order.id }, data: { dueAt: new Date(Date.now() - 1000) } })
    await sendTransfers(ctx(), seller.id)
    expect(await transferOf(order.id)).toMatchObject({ state: 'sent', sentCents: 1180, reversedAtStripeCents: 0 })
  })

  it('of the whole amount that comes before the transfer cancels the payout', async () => {
    const { seller, order } = await readySale('physical')
    await deduct(order.id, 9_999)
    expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', deductedCents: 2180 })
    expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ waitingCents: 0 })
  })

  it('that comes after the transfer causes one reversal, even when the refund is recorded repeatedly', async () => {
    const { order } = await readySale()
    await passDays()
    await Promise.allSettled(Array.from({ length: 6 }, () => deduct(order.id, 700)))
    await deduct(order.id, 700)
    const transfer = await transferOf(order.id)
    expect(transfer).toMatchObject({ state: 'sent', deductedCents: 700, reversedAtStripeCents: 700 })
    expect(await stripe().transfers.retrieve(transfer.stripeTransferId ?? '')).toMatchObject({ amount_reversed: 700 })
    await deduct(order.id, 2180)
    expect(await transferOf(order.id)).toMatchObject({ state: 'reversed', reversedAtStripeCents: 2180 })
  })

  it('changes nothing for an order that has no transfer', async () => {
    await expect(deduct('ord_nobody', 100)).resolves.toBeUndefined()
  })
})
