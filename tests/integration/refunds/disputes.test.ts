import { type Context, systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { listSellerOrders } from '@/lib/orders/seller-queries'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { SECOND_MS } from '@/lib/kernel/time'
import { receiveLostEvents } from '@/lib/webhooks/receive-lost-events'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'
import { stripeEvent } from '@/tests/support/stripe-event'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function sendDisputeUpdate(order: { stripePaymentIntentId: string | null }): Promise<void> {
  const object = { id: 'du', payment_intent: order.stripePaymentIntentId }
  await receiveStripeEvent(systemContext('test'), stripeEvent('charge.dispute.updated', object))
}

async function disputed() {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, description: 'As it was sold.' })
  const { url, sessionId } = await openCheckout(drop.id)
  await db().drop.update({ where: { id: drop.id }, data: { description: 'Changed later.' } })
  await pay(url, '4000000000000259')
  await settleCheckout(systemContext('test'), sessionId)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await sendDisputeUpdate(order)
  const disputes = () => db().dispute.findMany({ where: { orderId: order.id } })
  return { seller, ctx: contextFor(actorOf(seller)), order, disputes }
}

it('a dispute whose event never arrived is found, and its event is handled once', async () => {
  const ctx = systemContext('test')
  const { url, sessionId } = await openCheckout((await makeDrop({ userId: (await makeSeller()).id })).id)
  await pay(url, '4000000000000259')
  await settleCheckout(ctx, sessionId)
  const { id: orderId, stripePaymentIntentId: intent } = await db().order.findUniqueOrThrow({
    where: { stripeSessionId: sessionId },
  })
  const events = await stripe().events.list({ type: 'charge.dispute.created', limit: 100 })
  const event = events.data.find(({ data }) => JSON.stringify(data).includes(`"${intent}"`))!
  const seen = () => db().webhookEvent.findUnique({ where: { id: event.id } })
  expect(await seen()).toBeNull()
  const sweep = (at: Context = ctx) => sweepCheckouts(at, { handleChanges: receiveLostEvents })
  // The webhook may still arrive in the first minute.
  await sweep()
  expect(await seen()).toBeNull()
  const later = { ...ctx, clock: { now: () => new Date(Date.now() + 61 * SECOND_MS) } }
  await sweep(later)
  expect(await db().order.findUniqueOrThrow({ where: { id: orderId } })).toMatchObject({ status: 'disputed' })
  expect(await seen()).toMatchObject({ attempts: 1 })
  await sweep(later)
  expect(await seen()).toMatchObject({ attempts: 1 })
})

it('sends the purchase record, the terms and the seller’s text as evidence, and only once', async () => {
  const { ctx, order, disputes, seller } = await disputed()
  expect((await getSellerOrder(ctx, seller.id, order.id)).dispute).toMatchObject({ canAnswer: true, hasSnapshot: true })
  const said = { orderId: order.id, statement: 'It was handed over on Monday.' }
  const presses = await Promise.allSettled([answerDispute(ctx, said), answerDispute(ctx, said)])
  expect(presses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [dispute] = await disputes()
  expect(dispute).toMatchObject({ status: 'under_review' })
  const { evidence } = await stripe().disputes.retrieve(dispute!.stripeDisputeId)
  expect(evidence.product_description).toContain('As it was sold.')
  expect(evidence.product_description).not.toContain('Changed later.')
  expect(evidence.refund_policy_disclosure).toContain('2025-07-29')
  expect(evidence.uncategorized_text).toContain('handed over on Monday')
  expect(evidence.customer_email_address).toBe('bea@example.com')
  await expect(answerDispute(ctx, said)).rejects.toMatchObject({ code: 'NOT_ANSWERABLE', status: 409 })
  expect((await getSellerOrder(ctx, seller.id, order.id)).dispute).toMatchObject({ canAnswer: false })
})

it.each([
  ['winning_evidence', 'won', 'paid', 0],
  ['losing_evidence', 'lost', 'disputed', 2180],
])(
  'after the statement %s, records the decision of the bank in the order and its transfer',
  async (statement, status, orderStatus, takenCents) => {
    const { ctx, order, disputes, seller } = await disputed()
    await answerDispute(ctx, { orderId: order.id, statement })
    expect(await disputes()).toMatchObject([{ status }])
    expect(await db().order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({ status: orderStatus })
    const { deductedCents } = await db().transfer.findUniqueOrThrow({ where: { orderId: order.id } })
    expect(deductedCents).toBe(takenCents)
    // The seller gets one email with the amounts, and the pages of the buyer and the seller show the decision.
    await sendDisputeUpdate(order)
    await sendDisputeUpdate(order)
    const [dispute] = await disputes()
    const mails = await db().outboxMail.findMany({ where: { dedupeKey: `dispute-closed:${dispute!.id}` } })
    expect(mails.map(({ to }) => to)).toEqual([seller.email])
    const sums =
      status === 'won'
        ? ['Payment kept: $24.00', 'Your payout: $21.80']
        : ['Returned to the buyer: $24.00', 'Deducted from your payout: $21.80', 'Dispute fee: $15.00, paid by']
    for (const sum of sums) expect(mails[0]?.text).toContain(sum)
    const { money, dispute: shown } = await getSellerOrder(ctx, seller.id, order.id)
    expect(shown).toMatchObject({ isClosed: true, takenCents })
    expect(money).toMatchObject({ netCents: 2180 - takenCents, disputeTakenCents: takenCents, coveredCents: 0 })
    const [row] = await listSellerOrders(database(), seller.id, { show: 'all' })
    expect(row).toMatchObject({ id: order.id, isLost: status === 'lost' })
    const page = await findBuyerOrder(db(), order.token)
    expect(page).toMatchObject({ isLost: status === 'lost' })
    const outcome = status === 'won' ? 'The bank decided for the seller' : 'Your bank returned your money'
    expect(page?.timeline.at(-1)?.text).toBe(outcome)
  },
)

it('shows the evidence to the seller and, with the IP address of the buyer, to administrators, but not to other sellers', async () => {
  const { ctx, order } = await disputed()
  const { text } = await getEvidence(ctx, order.id)
  for (const part of [
    'As it was sold.',
    'Respond by:',
    'Terms of Service dated 2025-07-29',
    'Disputed with the bank',
  ]) {
    expect(text).toContain(part)
  }
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const { ip } = await db().purchaseRecord.findUniqueOrThrow({ where: { orderId: order.id } })
  expect(ip).not.toBe('')
  expect((await getEvidence(admin, order.id)).text).toContain(ip)
  expect(text).not.toContain(ip)
  const stranger = contextFor(actorOf(await makeSeller()))
  await expect(getEvidence(stranger, order.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(answerDispute(stranger, { orderId: order.id, statement: '' })).rejects.toMatchObject({ status: 404 })
})

it('leaves the word "unknown" in the evidence, which is stored where no IP address could be read', async () => {
  const { ctx, order } = await disputed()
  const description = 'By an unknown maker.'
  await db().purchaseRecord.update({ where: { orderId: order.id }, data: { ip: 'unknown', description } })
  expect((await getEvidence(ctx, order.id)).text).toContain(description)
})
