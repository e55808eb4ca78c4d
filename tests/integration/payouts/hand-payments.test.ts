import { listAudit, listOrders } from '@/lib/admin/ledger-queries'
import { readHealth, readOverview } from '@/lib/admin/read-overview'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { refundOrder } from '@/lib/refunds/refund-order'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { syncRefunds } from '@/lib/refunds/sync-refunds'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { getMoneyLine, getPayoutSummary, listPayoutLines } from '@/lib/payouts/queries'
import { recordHandPayment } from '@/lib/payouts/record-hand-payment'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { handPaymentFormSchema, handPaymentSchema } from '@/lib/payouts/schema'
import { sweepPayouts } from '@/lib/payouts/sweep-payouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { AVAILABLE_AT_ONCE, onboard, openCheckout, pay, payAndSettle } from '@/tests/support/shop'

// A payout whose payment Stripe settled in another currency is paid by hand
// (docs/product.md#payouts-in-another-currency).

examineMoneyAfterEach()
afterAll(closeDatabase)

const system = () => systemContext('test')
/** The payout in cents: $24.00 less 5 % and a card fee of $1.00. */
const NET = 2180

async function asAdmin(steppedUpAt = new Date()) {
  const admin = await makeSeller({ isAdmin: true })
  return contextFor({ ...actorOf(admin), hasTwoFactor: true, steppedUpAt })
}

async function readySeller() {
  const seller = await makeSeller()
  const sellerCtx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(sellerCtx), 'finish')
  await refreshPayouts(sellerCtx, seller.id)
  return { seller, sellerCtx }
}

/** Creates a paid order of a new seller, or of the drop of an earlier order, whose payment Stripe settled in euros. */
async function soldInEuros(
  card?: string,
  productType: 'digital' | 'physical' = 'digital',
  earlier?: Awaited<ReturnType<typeof readySeller>> & { order: { dropId: number } },
) {
  const { seller, sellerCtx } = earlier ?? (await readySeller())
  const dropId = earlier?.order.dropId ?? (await makeDrop({ userId: seller.id, productType })).id
  const { url, sessionId } = await openCheckout(dropId)
  await pay(url, card)
  const [movement] = (await stripe().balanceTransactions.list({ type: 'charge', limit: 1 })).data
  const { json } = await db().sandboxObject.findUniqueOrThrow({ where: { id: movement?.id ?? '' } })
  const inEuros = { ...(json as object), currency: 'eur', exchange_rate: 0.9, fee: 90 }
  await db().sandboxObject.update({ where: { id: movement?.id ?? '' }, data: { json: inEuros } })
  await settleCheckout(system(), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  return { seller, sellerCtx, order, orderId: order.id }
}

const transferOf = (orderId: string) => db().transfer.findUniqueOrThrow({ where: { orderId } })
const refund = (orderId: string, amountCents: number) => ({
  orderId,
  refundId: newId('ref'),
  amountCents,
  restockUnits: 0,
})
const paid = (orderId: string, amountCents = NET, reference = 'SEPA 2026-11-23') => ({
  orderId,
  amountCents,
  reference,
})

async function sweep() {
  await db().transfer.updateMany({ data: { nextAttemptAt: new Date(0) } })
  await sweepPayouts(system())
}

it('a payment by hand closes the payout in the lists, for the seller, in the books and in the audit log', async () => {
  const ctx = await asAdmin()
  const { seller, sellerCtx, orderId } = await soldInEuros()
  const before = { health: await readHealth(database()), money: await readOverview(ctx) }
  expect(await listOrders(database(), { show: 'currency', q: orderId })).toMatchObject([{ byHandCents: NET }])

  await recordHandPayment(ctx, paid(orderId))

  expect((await readHealth(database())).payoutsInOtherCurrency).toBe(before.health.payoutsInOtherCurrency - 1)
  expect((await readOverview(ctx)).waitingPayoutCents).toBe(before.money.waitingPayoutCents - NET)
  expect(await listOrders(database(), { show: 'currency', q: orderId })).toEqual([])
  expect(await listOrders(database(), { show: 'all', q: orderId })).toMatchObject([
    { transfer: 'sent', settledIn: null, byHandCents: 0, isPaidByHand: true },
  ])
  const paidOut = { waitingCents: 0, onTheWayCents: 0, debtCents: 0 }
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ ...paidOut, sentCents: NET })
  expect(await getMoneyLine(database(), seller.id, 'UTC')).toMatchObject({ ...paidOut, arrivalDay: null })
  const byHand = [{ amountCents: NET, reference: 'SEPA 2026-11-23' }]
  expect(await listPayoutLines(db(), seller.id, 10)).toMatchObject([
    { orderId, state: 'sent', payoutCents: NET, handPayments: byHand, arrival: null },
  ])
  const detail = await getSellerOrder(sellerCtx, seller.id, orderId)
  expect(detail.payout).toMatchObject({ settledIn: null, handPayments: byHand })
  expect(detail.timeline).toContainEqual(
    expect.objectContaining({ text: 'Payout of $21.80 paid by bank transfer', note: 'Reference: SEPA 2026-11-23' }),
  )
  expect(await listAudit(database(), { target: orderId })).toMatchObject([
    {
      action: 'payout.byhand',
      before: { paidCents: 0 },
      after: { paidCents: NET, reference: 'SEPA 2026-11-23' },
    },
  ])
  // The sweep does not send this payout through Stripe in addition.
  await sweep()
  expect(await transferOf(orderId)).toMatchObject({ state: 'sent', stripeTransferId: null, destination: null })
  expect((await stripe().transfers.list()).data.filter(({ metadata }) => metadata.orderId === orderId)).toEqual([])
})

it('the same payment by hand is recorded only once, even when an administrator submits it many times at once', async () => {
  const ctx = await asAdmin()
  const { orderId } = await soldInEuros()
  await Promise.all(Array.from({ length: 6 }, () => recordHandPayment(ctx, paid(orderId))))
  const { createdAt } = await db().handPayment.findFirstOrThrow({ where: { transfer: { orderId } } })
  expect(await recordHandPayment(ctx, paid(orderId))).toEqual({ recordedBefore: createdAt.toISOString() })
  expect(await db().handPayment.count({ where: { transfer: { orderId } } })).toBe(1)
  expect(await db().auditEntry.count({ where: { targetId: orderId } })).toBe(1)
  await expect(recordHandPayment(ctx, paid(orderId, NET - 1))).rejects.toMatchObject({ code: 'REFERENCE_USED' })
  await expect(recordHandPayment(ctx, paid(orderId, NET, 'another'))).rejects.toMatchObject({ code: 'ALREADY_PAID' })
  expect(await transferOf(orderId)).toMatchObject({ sentCents: NET, sentAgainCents: 0 })
})

describe('a payment by hand', () => {
  const refusalOf = async (orderId: string, amountCents = NET) =>
    recordHandPayment(await asAdmin(), paid(orderId, amountCents)).then(
      () => 'recorded',
      ({ code }: { code: string }) => code,
    )

  it('is recorded even after a full refund, because the money may have been sent before, and the seller then owes it', async () => {
    const { orderId, seller, sellerCtx } = await soldInEuros()
    await refundOrder(sellerCtx, refund(orderId, 2400))
    expect((await transferOf(orderId)).state).toBe('reversed')
    expect(await listOrders(database(), { show: 'all', q: orderId })).toMatchObject([
      { byHandCents: 0, canPayByHand: true, settledIn: null },
    ])
    const { debtCents: before } = await getPayoutSummary(database(), seller.id)
    expect(await refusalOf(orderId)).toBe('recorded')
    const { debtCents } = await getPayoutSummary(database(), seller.id)
    expect(debtCents - before).toBe(NET)
  })

  it('is refused for a payout that is sent through Stripe, before and after its transfer', async () => {
    const { seller } = await readySeller()
    const drop = await makeDrop({ userId: seller.id, productType: 'digital' })
    const { url, sessionId } = await openCheckout(drop.id)
    await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
    const { id } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
    expect((await transferOf(id)).state).toBe('waiting')
    expect(await refusalOf(id)).toBe('SENT_BY_STRIPE')
    await sweep()
    expect((await transferOf(id)).stripeTransferId).not.toBeNull()
    expect(await refusalOf(id)).toBe('SENT_BY_STRIPE')
  })

  it('is refused while a transfer is under way', async () => {
    const { orderId } = await soldInEuros()
    await db().transfer.update({
      where: { orderId },
      data: { sentCents: NET, frozenAt: new Date(), destination: 'acct_x' },
    })
    expect(await refusalOf(orderId)).toBe('SENT_BY_STRIPE')
    await db().transfer.update({ where: { orderId }, data: { sentCents: null, frozenAt: null, destination: null } })
    expect(await refusalOf(orderId)).toBe('recorded')
  })

  it('is refused before the payout is due, while the bank decides about a dispute, and for an unknown order', async () => {
    const parcel = await soldInEuros(undefined, 'physical')
    expect(await refusalOf(parcel.orderId)).toBe('PAYOUT_NOT_DUE')
    expect(await listOrders(database(), { show: 'currency', q: parcel.orderId })).toMatchObject([
      { byHandCents: NET, canPayByHand: false },
    ])
    const disputed = await soldInEuros('4000000000000259')
    await syncRefunds(system(), disputed.orderId)
    expect(await refusalOf(disputed.orderId)).toBe('PAYOUT_ON_HOLD')
    expect(await listOrders(database(), { show: 'currency', q: disputed.orderId })).toMatchObject([
      { canPayByHand: false },
    ])
    expect(await refusalOf(newId('ord'))).toBe('PAYOUT_NOT_FOUND')
  })

  it('is refused for an amount other than the whole payout', async () => {
    const { orderId } = await soldInEuros()
    expect(await refusalOf(orderId, NET - 1)).toBe('AMOUNT_TOO_SMALL')
    expect(await refusalOf(orderId, NET + 1)).toBe('AMOUNT_TOO_LARGE')
    expect(await refusalOf(orderId, 2_000_000_000)).toBe('AMOUNT_TOO_LARGE')
  })

  it('is refused when the administrator confirmed the second factor too long ago', async () => {
    const { orderId } = await soldInEuros()
    const ctx = await asAdmin(new Date(Date.now() - 3_600_000))
    await expect(recordHandPayment(ctx, paid(orderId))).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  })
})

it('a refund after a payment by hand is a debt, which is deducted from the next payout', async () => {
  const ctx = await asAdmin()
  const { seller, sellerCtx, order, orderId } = await soldInEuros()
  await recordHandPayment(ctx, paid(orderId))
  await refundOrder(sellerCtx, refund(orderId, 1000))
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 950 })
  const { url, sessionId } = await openCheckout(order.dropId)
  await payAndSettle(url, sessionId, AVAILABLE_AT_ONCE)
  await sweep()
  const next = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  expect(await transferOf(next.id)).toMatchObject({ sentCents: NET - 950, withheldCents: 950 })
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 0, waitingCents: 0 })
})

it('a payout that debts use up entirely counts as complete, and a payment that was made before can still be recorded', async () => {
  const ctx = await asAdmin()
  const first = await soldInEuros()
  await recordHandPayment(ctx, paid(first.orderId))
  await refundOrder(first.sellerCtx, refund(first.orderId, 2400))
  const { debtCents } = await getPayoutSummary(database(), first.seller.id)
  const before = (await readHealth(database())).payoutsInOtherCurrency
  const { orderId } = await soldInEuros(undefined, 'digital', first)
  // A request for the payout got no answer before the currency was known. The payout was then given up.
  await db().transfer.update({ where: { orderId }, data: { destination: 'acct_of_seller', frozenAt: new Date() } })
  expect((await readHealth(database())).payoutsInOtherCurrency).toBe(before + 1)
  await sweep()
  expect(await transferOf(orderId)).toMatchObject({ state: 'sent', sentCents: 0, withheldCents: NET })
  expect((await readHealth(database())).payoutsInOtherCurrency).toBe(before)
  expect(await listOrders(database(), { show: 'all', q: orderId })).toMatchObject([{ settledIn: null, byHandCents: 0 }])
  expect(await getPayoutSummary(database(), first.seller.id)).toMatchObject({ debtCents: debtCents - NET })
  const { payout, timeline } = await getSellerOrder(first.sellerCtx, first.seller.id, orderId)
  expect(payout).toMatchObject({ settledIn: null, dueAgainCents: 0, sentCents: 0 })
  expect(timeline.map(({ text }) => text)).not.toContain('Payout sent')

  await recordHandPayment(ctx, paid(orderId))
  expect(await transferOf(orderId)).toMatchObject({ sentCents: 0, sentAgainCents: NET })
  expect(await getPayoutSummary(database(), first.seller.id)).toMatchObject({ debtCents, sentCents: 2 * NET })
})

it('a payment that was made before a dispute is recorded after the bank decided against the seller, who then owes it', async () => {
  const ctx = await asAdmin()
  const { seller, sellerCtx, orderId } = await soldInEuros('4000000000000259')
  await syncRefunds(system(), orderId)
  await answerDispute(sellerCtx, { orderId, statement: 'losing_evidence' })
  expect(await transferOf(orderId)).toMatchObject({ state: 'reversed' })
  expect(await listOrders(database(), { show: 'all', q: orderId })).toMatchObject([{ canPayByHand: true }])
  await recordHandPayment(ctx, paid(orderId))
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: NET })
})

it('a refund between the payment by hand and its recording is also a debt', async () => {
  const { seller, sellerCtx, orderId } = await soldInEuros()
  await refundOrder(sellerCtx, refund(orderId, 1000))
  await recordHandPayment(await asAdmin(), paid(orderId))
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ debtCents: 950, sentCents: NET })
})

it('an amount that is due again after a failed refund is listed, and is also paid by hand', async () => {
  const ctx = await asAdmin()
  const { seller, sellerCtx, orderId } = await soldInEuros('4000000000005126')
  await refundOrder(sellerCtx, refund(orderId, 1000))
  await recordHandPayment(ctx, paid(orderId, NET - 950, 'first'))
  expect(await listOrders(database(), { show: 'currency', q: orderId })).toEqual([])
  await standIn()!.settleDue()
  await syncRefunds(system(), orderId)
  await sweep()
  expect(await listOrders(database(), { show: 'currency', q: orderId })).toMatchObject([
    { settledIn: 'EUR', byHandCents: 950, canPayByHand: true },
  ])
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ waitingCents: 950, sentCents: NET - 950 })
  expect(await getMoneyLine(database(), seller.id, 'UTC')).toMatchObject({ waitingCents: 950, onTheWayCents: 0 })
  expect(await listPayoutLines(db(), seller.id, 10)).toMatchObject([{ orderId, dueAgainCents: 950 }])
  expect((await getSellerOrder(sellerCtx, seller.id, orderId)).payout).toMatchObject({ dueAgainCents: 950 })
  await expect(recordHandPayment(ctx, paid(orderId, 951, 'second'))).rejects.toMatchObject({ code: 'AMOUNT_TOO_LARGE' })
  await recordHandPayment(ctx, paid(orderId, 950, 'second'))
  expect(await getPayoutSummary(database(), seller.id)).toMatchObject({ sentCents: NET, debtCents: 0, waitingCents: 0 })
  expect(await listOrders(database(), { show: 'currency', q: orderId })).toEqual([])
})

it.each([
  ['', /amount/],
  ['0', /amount/],
  ['-5', /amount/],
  ['a lot', /amount/],
])('the form refuses the amount "%s"', (amount, text) => {
  const { error } = handPaymentFormSchema.safeParse({ amount, reference: 'r' })
  expect(error?.issues[0]?.message).toMatch(text)
})

it.each(['', '   ', 'two\nlines', 'x'.repeat(101)])('the reference %j is refused', (reference) => {
  expect(handPaymentSchema.safeParse(paid(newId('ord'), 1, reference)).success).toBe(false)
})
