// These tests cover inquiries, disputes about part of a payment, several disputes about one payment, and disputes that
// are decided without an answer. Stripe describes them at docs.stripe.com/disputes/how-disputes-work and
// docs.stripe.com/testing#disputes (docs/stripe-rules.md, B4, B8).
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn, stripe } from '@/lib/infra/stripe'
import { newId } from '@/lib/kernel/id'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { getSellerOrder } from '@/lib/orders/get-seller-order'
import { findBuyerOrder } from '@/lib/orders/queries'
import { refundOrder } from '@/lib/refunds/refund-order'
import { connectPayouts } from '@/lib/payouts/connect-payouts'
import { refreshPayouts } from '@/lib/payouts/refresh-payouts'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { deliverEvents, onboard, openCheckout, payAndSettle } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const INQUIRY = '4000000000001976'
const DISPUTED = '4000000000000259'
const DISPUTED_TWICE = '4000000404000079'

async function sell(card?: string) {
  const seller = await makeSeller()
  const ctx = contextFor(actorOf(seller))
  await onboard(await connectPayouts(ctx), 'finish')
  await refreshPayouts(ctx, seller.id)
  const drop = await makeDrop({ userId: seller.id, productType: 'digital' })
  await db().digitalFile.create({
    data: { dropId: drop.id, source: 'link', url: 'https://files.example/zine.pdf', fileName: 'zine.pdf' },
  })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId, card)
  const order = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await deliverEvents()
  return { ctx, seller, order }
}

const readOrder = (id: string) =>
  db().order.findUniqueOrThrow({ where: { id }, include: { disputes: true, transfer: true } })
const refundAll = (orderId: string) => ({ orderId, refundId: newId('ref'), amountCents: 2400, restockUnits: 0 })
const mailsTo = async (to: string) =>
  (await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })).map(({ subject }) => subject)

/** Simulates a step that the bank takes in the disputes of an order, and delivers the events of that step. */
async function bankDoes(orderId: string, step: Parameters<NonNullable<ReturnType<typeof standIn>>['bankDoes']>[1]) {
  const { stripePaymentIntentId } = await readOrder(orderId)
  await standIn()!.bankDoes(stripePaymentIntentId ?? '', step)
  await standIn()!.settleDue()
  await deliverEvents()
}

/** Returns the platform's balance at Stripe in cents, including pending amounts. */
async function balance(): Promise<number> {
  const { available, pending } = await stripe().balance.retrieve()
  return available[0]!.amount + pending[0]!.amount
}

describe('an inquiry', () => {
  it('moves no money, so the order stays paid, the file stays available and the payout is sent', async () => {
    const { ctx, seller, order } = await sell(INQUIRY)
    expect(await readOrder(order.id)).toMatchObject({
      status: 'paid',
      disputes: [{ status: 'warning_needs_response', feeCents: 0, closedAt: null }],
    })
    expect((await findBuyerOrder(db(), order.token))?.digitalUrl).toBe('https://files.example/zine.pdf')
    await refreshPayouts(ctx, seller.id)
    expect((await readOrder(order.id)).transfer).toMatchObject({ state: 'sent', sentCents: 2180 })
    expect(await mailsTo(seller.email)).toContain(`The bank is asking about a payment: ${order.dropTitle}`)
    expect((await getSellerOrder(ctx, seller.id, order.id)).dispute).toMatchObject({ canAnswer: true, isClosed: false })
  })

  it('is settled by a full refund', async () => {
    const { ctx, seller, order } = await sell(INQUIRY)
    expect(await refundOrder(ctx, refundAll(order.id))).toBe('succeeded')
    await deliverEvents()
    expect(await readOrder(order.id)).toMatchObject({ status: 'refunded', disputes: [{ status: 'warning_closed' }] })
    expect(await mailsTo(seller.email)).toContain(`The bank's question is closed: ${order.dropTitle}`)
  })

  it('that becomes a dispute withdraws the money, can be answered again, and withholds the file', async () => {
    const { ctx, seller, order } = await sell(INQUIRY)
    await answerDispute(ctx, { orderId: order.id, statement: 'It was downloaded.' })
    expect(await readOrder(order.id)).toMatchObject({ status: 'paid', disputes: [{ status: 'warning_under_review' }] })
    await bankDoes(order.id, 'escalate')
    expect(await readOrder(order.id)).toMatchObject({
      status: 'disputed',
      disputes: [{ status: 'needs_response', feeCents: 1500, submittedAt: null }],
    })
    expect((await findBuyerOrder(db(), order.token))?.digitalUrl).toBeNull()
    expect(await mailsTo(seller.email)).toContain(`Payment disputed: ${order.dropTitle}`)
    await answerDispute(ctx, { orderId: order.id, statement: 'It was downloaded.' })
    expect(await readOrder(order.id)).toMatchObject({ disputes: [{ status: 'under_review' }] })
  })

  it('is closed without an answer when its deadline has passed', async () => {
    const { order } = await sell(INQUIRY)
    await bankDoes(order.id, 'fall-due')
    expect(await readOrder(order.id)).toMatchObject({ status: 'paid', disputes: [{ status: 'warning_closed' }] })
  })
})

describe('a dispute', () => {
  it('that nobody answers is lost when its deadline has passed', async () => {
    const { order, seller } = await sell(DISPUTED)
    await bankDoes(order.id, 'fall-due')
    expect(await readOrder(order.id)).toMatchObject({
      status: 'disputed',
      disputes: [{ status: 'lost', feeCents: 1500 }],
    })
    expect((await findBuyerOrder(db(), order.token))?.isLost).toBe(true)
    expect(await mailsTo(seller.email)).toContain(`Dispute lost: ${order.dropTitle}`)
  })

  it('that is won returns the money and the fee for the answer later, but not the fee for receiving the dispute', async () => {
    const { ctx, order } = await sell(DISPUTED)
    const before = await balance()
    await answerDispute(ctx, { orderId: order.id, statement: 'winning_evidence' })
    expect(await balance()).toBe(before - 1500)
    await standIn()!.settleDue()
    expect(await balance()).toBe(before + 2400)
    await deliverEvents()
    expect(await readOrder(order.id)).toMatchObject({ status: 'paid', disputes: [{ status: 'won', feeCents: 1500 }] })
    // Stripe does not document refunds after a won dispute. The stand-in refuses them with another error code
    // (docs/stripe-rules.md, A11 and D1).
    await expect(refundOrder(ctx, refundAll(order.id))).rejects.toMatchObject({ code: 'DISPUTED' })
  })

  // Stripe describes appeals at docs.stripe.com/disputes/arbitration (docs/stripe-rules.md, B4).
  describe('whose decision can be appealed', () => {
    async function appealable() {
      const sold = await sell(DISPUTED)
      await answerDispute(sold.ctx, { orderId: sold.order.id, statement: 'It was downloaded.' })
      const before = await balance()
      await bankDoes(sold.order.id, 'allow-appeal')
      return { ...sold, before }
    }

    it('keeps the order disputed and the money withdrawn, and accepts no more evidence of ours', async () => {
      const { ctx, order, seller, before } = await appealable()
      const shown = (await getSellerOrder(ctx, seller.id, order.id)).dispute
      expect(shown).toMatchObject({ canAnswer: false, isClosed: false })
      expect(await readOrder(order.id)).toMatchObject({
        status: 'disputed',
        disputes: [{ status: 'appeal_needs_response' }],
      })
      const { data } = await stripe().disputes.list({
        payment_intent: (await readOrder(order.id)).stripePaymentIntentId ?? '',
      })
      const update = stripe().disputes.update(data[0]!.id, { evidence: { uncategorized_text: 'more' } })
      await expect(update).rejects.toMatchObject({ statusCode: 400 })
      await bankDoes(order.id, 'appeal')
      expect(await readOrder(order.id)).toMatchObject({
        status: 'disputed',
        disputes: [{ status: 'appeal_under_review' }],
      })
      expect((await findBuyerOrder(db(), order.token))?.digitalUrl).toBeNull()
      expect(await balance()).toBe(before)
    })

    it('is won when the appeal is granted, which returns the money', async () => {
      const { order, before } = await appealable()
      await bankDoes(order.id, 'appeal')
      await bankDoes(order.id, 'grant-appeal')
      expect(await readOrder(order.id)).toMatchObject({ status: 'paid', disputes: [{ status: 'won' }] })
      expect(await balance()).toBe(before + 2400 + 1500)
    })

    it.each(['reject-appeal', 'fall-due'] as const)('is lost after "%s"', async (end) => {
      const { order, before } = await appealable()
      if (end === 'reject-appeal') await bankDoes(order.id, 'appeal')
      await bankDoes(order.id, end)
      expect(await readOrder(order.id)).toMatchObject({ status: 'disputed', disputes: [{ status: 'lost' }] })
      expect((await findBuyerOrder(db(), order.token))?.isLost).toBe(true)
      expect(await balance()).toBe(before)
    })
  })

  it('can be lost right away, without a chance to answer', async () => {
    const { order, seller } = await sell()
    await bankDoes(order.id, 'lose-at-once')
    expect(await readOrder(order.id)).toMatchObject({
      status: 'disputed',
      disputes: [{ status: 'lost', dueAt: null }],
      transfer: { deductedCents: 2180 },
    })
    expect((await mailsTo(seller.email)).filter((subject) => subject.includes('ispute'))).toEqual([
      `Dispute lost: ${order.dropTitle}`,
    ])
  })

  it('that was prevented moves no money', async () => {
    const { order } = await sell()
    const before = await balance()
    await bankDoes(order.id, 'prevent')
    expect(await balance()).toBe(before)
    expect(await readOrder(order.id)).toMatchObject({
      status: 'paid',
      disputes: [{ status: 'prevented', feeCents: 0 }],
    })
  })

  // Stripe does not document how the platform pays for such a dispute (docs/stripe-rules.md, D6):
  // docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute
  it('that was prevented by paying the buyer back counts as lost, because the platform has lost the money', async () => {
    const { order } = await sell()
    // Stripe calls a dispute `prevented` also when the card network has settled it at once in favor of the buyer.
    await standIn()!.bankDoes(order.stripePaymentIntentId ?? '', 'lose-at-once')
    await db().$executeRaw`
      UPDATE "SandboxObject" SET "json" = "json" || '{"status":"prevented"}'
       WHERE "kind" = 'dispute' AND "json"->>'payment_intent' = ${order.stripePaymentIntentId}`
    await deliverEvents()
    expect(await readOrder(order.id)).toMatchObject({
      status: 'disputed',
      disputes: [{ status: 'lost' }],
      transfer: { deductedCents: 2180 },
    })
  })

  it('about part of the amount takes that part of the payout when it is lost, and the order stays paid', async () => {
    const { order } = await sell()
    await bankDoes(order.id, 'lose-half-at-once')
    // The deduction is $12.00 minus the platform fee of 5%, which the platform returns.
    expect(await readOrder(order.id)).toMatchObject({
      status: 'paid',
      transfer: { deductedCents: 1140, feeOwedCents: 0 },
    })
  })

  it('about the rest of a partly refunded payment charges the seller the card fee of the refunded part only', async () => {
    const { ctx, order } = await sell()
    await refundOrder(ctx, { ...refundAll(order.id), amountCents: 1200 })
    await bankDoes(order.id, 'lose-half-at-once')
    // The card fee is $1.00. The seller bears it for the refunded half, and the platform for the disputed half.
    expect(await readOrder(order.id)).toMatchObject({ transfer: { deductedCents: 2180, feeOwedCents: 50 } })
  })

  it('can be one of two disputes about a payment, which are answered one after the other and decided separately', async () => {
    const { ctx, order } = await sell(DISPUTED_TWICE)
    expect((await readOrder(order.id)).disputes.map(({ amountCents }) => amountCents)).toEqual([1200, 1200])
    await answerDispute(ctx, { orderId: order.id, statement: 'winning_evidence' })
    expect((await readOrder(order.id)).status).toBe('disputed')
    await answerDispute(ctx, { orderId: order.id, statement: 'losing_evidence' })
    await standIn()!.settleDue()
    await deliverEvents()
    const { disputes, status, transfer } = await readOrder(order.id)
    expect(disputes.map((dispute) => dispute.status).sort()).toEqual(['lost', 'won'])
    expect({ status, deductedCents: transfer?.deductedCents }).toEqual({ status: 'paid', deductedCents: 1140 })
  })

  it('that is lost is reported by email with its own deduction, without those of earlier refunds and disputes', async () => {
    const takenBy = async (to: string) =>
      (
        await db().outboxMail.findMany({
          where: { to, subject: { startsWith: 'Dispute lost' } },
          orderBy: { id: 'asc' },
        })
      ).map(({ text }) => /Deducted from your payout: (\S+)/.exec(text)?.[1])
    const refunded = await sell()
    await refundOrder(refunded.ctx, { ...refundAll(refunded.order.id), amountCents: 1000 })
    await bankDoes(refunded.order.id, 'lose-at-once')
    // The refund had deducted $9.50 of the payout of $21.80.
    expect((await readOrder(refunded.order.id)).transfer).toMatchObject({ deductedCents: 2180 })
    expect(await takenBy(refunded.seller.email)).toEqual(['$12.30'])
    const twice = await sell()
    await bankDoes(twice.order.id, 'lose-half-at-once')
    await bankDoes(twice.order.id, 'lose-half-at-once')
    expect(await takenBy(twice.seller.email)).toEqual(['$11.40', '$10.40'])
    // The page of the order shows the dispute that was lost last, with the same amount as its email.
    const { dispute, money } = await getSellerOrder(twice.ctx, twice.seller.id, twice.order.id)
    expect(dispute).toMatchObject({ status: 'lost', amountCents: 1200, takenCents: 1040 })
    expect(money).toMatchObject({ disputeTakenCents: 2180 })
  })

  it('makes a pending refund fail', async () => {
    const { ctx, order } = await sell('4000000000007726')
    expect(await refundOrder(ctx, refundAll(order.id))).toBe('pending')
    const { stripePaymentIntentId } = await readOrder(order.id)
    await standIn()!.bankDoes(stripePaymentIntentId ?? '', 'dispute')
    await deliverEvents()
    const [refund] = (await stripe().refunds.list({ payment_intent: stripePaymentIntentId ?? '' })).data
    expect(refund).toMatchObject({ status: 'failed', failure_reason: 'charge_for_pending_refund_disputed' })
    expect(await readOrder(order.id)).toMatchObject({ status: 'disputed', refundedCents: 0 })
  })
})

it('the stand-in refuses any other string in an evidence field that needs the id of a file', async () => {
  // See docs.stripe.com/api/disputes/update (docs/stripe-rules.md, C3).
  const { order } = await sell(DISPUTED)
  const { disputes } = await readOrder(order.id)
  const id = disputes[0]!.stripeDisputeId
  const receipt = stripe().disputes.update(id, { evidence: { receipt: 'my receipt' } })
  await expect(receipt).rejects.toMatchObject({ param: 'evidence[receipt]' })
})
