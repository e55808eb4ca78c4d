import 'server-only'
import type { Order, Refund, Transfer, User } from '@prisma/client'
import type Stripe from 'stripe'
import { type Context, transaction } from '@/lib/infra/context'
import { SECOND_MS } from '@/lib/kernel/time'
import { postponePayout } from '@/lib/payouts/postpone-payout'
import { settleOrderPayout } from '@/lib/payouts/record-deduction'
import { adoptRefund } from './adopt-refund'
import { canOnlyPlatformRepay } from './can-only-platform-repay'
import { bookDeduction, hasLeft } from './book-deduction'
import { takenByDispute } from '@/lib/orders/taken-by-dispute'
import { failedPurchaseMail, mismatchRefundNotice } from './failed-purchase-mail'
import { lateRefundNotice } from './late-mails'
import { nextLateStep } from './next-late-step'
import { refundNotice, refundFailedNotice, refundReturnedNotice, unpayableRefundNotice } from './mails'
import { findEdition } from '@/lib/drops/editions/edition-queries'
import { queueMail } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { refundOwedMails } from './note-refused-refund'
import { unrefundedUnits } from '@/lib/stock/unit-rules'
import { giveMissingKeys } from '@/lib/orders/give-missing-keys'
import { lockHoldAndOrder } from '@/lib/orders/guards'
import { feeInChargeCurrency } from '@/lib/orders/fee-in-charge-currency'
import { readKnownStates } from './read-known-states'
import { returnKeys } from './return-keys'
import { restockUnits } from './restock-units'
import { settleLateOrder } from './settle-late-order'
import { takeUnitsAgain } from './take-units-again'
import { disputeClosedNotice, disputeNotice, inquiryNotice } from './dispute-mails'
import { isInquiry } from '@/lib/kernel/is-inquiry'
import { statusOfDispute } from '@/lib/kernel/status-of-dispute'
import { isClosedDispute, isDisputedOrder, isOpenDispute } from '@/lib/orders/dispute-rules'
import {
  isOwedByPlatform,
  isUnsentForFailedPurchase,
  refundedFeeCents,
  type RefundRequester,
  sentRefunds,
} from '@/lib/orders/refund-rules'
import { mayMove, type OrderStatus, statusOf } from '@/lib/orders/rules'

/** How often one call reads from Stripe while other calls keep recording changes. */
const MAX_TRIES = 8

/**
 * Updates an order's refunds and disputes from Stripe, whether the change came from our own call, from an event or from
 * Stripe's dashboard. The call may be repeated any number of times, and calls may run in any sequence and at the same
 * time. A call that finds that another one has recorded a change since it began reads from Stripe again. Otherwise it
 * could write an outdated response: a decided dispute would be open again forever, and a refund that has succeeded
 * would be pending again, and would put its units back on sale a second time.
 * @returns the status of the order; `unpaid` when it has no payment intent yet
 */
export async function syncRefunds(ctx: Context, orderId: string): Promise<OrderStatus | 'unpaid'> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const { intentId, states } = await readKnownStates(ctx, orderId)
    if (!intentId) return 'unpaid'
    const filter = { payment_intent: intentId, limit: 100 }
    const refunds = await ctx.stripe().refunds.list(filter).autoPagingToArray({ limit: 1_000 })
    const filed = await ctx.stripe().disputes.list(filter).autoPagingToArray({ limit: 100 })
    const disputes = filed.map((dispute) => ({ ...dispute, status: statusOfDispute(dispute) }))
    const order = await transaction(ctx, async (tx) => {
      await lockHoldAndOrder(tx, orderId)
      const isOutdated = (await readKnownStates(tx, orderId)).states !== states
      return isOutdated ? null : record(tx, orderId, { refunds, disputes })
    })
    if (!order) continue
    await settleOrderPayout(ctx, orderId)
    return order.status
  }
  throw new Error(`the refunds and disputes of order ${orderId} change faster than they can be recorded`)
}

/** Records what Stripe has responded about an order's refunds and disputes. The order's row is locked. */
async function record(
  tx: Context,
  orderId: string,
  { refunds, disputes }: { refunds: readonly Stripe.Refund[]; disputes: readonly Stripe.Dispute[] },
): Promise<Order> {
  for (const refund of refunds) await noteRefund(tx, orderId, refund)
  await adoptRefund(tx, orderId)
  for (const dispute of disputes) await noteDispute(tx, orderId, dispute)
  // A statement that reserves the payout at this moment must not miss the dispute.
  if (disputes.some(({ status }) => isOpenDispute(status))) await postponePayout(tx, orderId)
  const updated = await recordStatus(tx, orderId)
  await bookDeduction(tx, updated)
  await queueDisputeClosedMails(tx, updated)
  await settleLateOrder(tx, orderId)
  return updated
}

/** Notifies the seller once of the bank's decision about a dispute, as soon as the cost of the dispute is recorded. */
async function queueDisputeClosedMails(tx: Context, { id: orderId }: Order): Promise<void> {
  const closed = await tx.db.dispute.findMany({ where: { orderId, closedAt: { not: null } } })
  if (closed.length === 0) return
  const include = { seller: true, transfer: true }
  const { transfer, ...order } = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include })
  const { amountCents: netCents, deductedCents } = transfer ?? { amountCents: 0, deductedCents: 0 }
  const mails = closed.map((dispute) => {
    const lostCents = transfer ? takenByDispute(order, closed, dispute) : 0
    return disputeClosedNotice(order, dispute, { keptCents: netCents - deductedCents, lostCents }, tx.appUrl)
  })
  await queueMail(tx, mails)
}

type OrderWithSeller = Order & { seller: User }

const STATES: Record<string, Refund['state']> = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' }

/**
 * Records one refund from Stripe. A known refund is recognized by Stripe's id or, until that id is known, by our id in
 * its metadata. Any other refund was made in Stripe's dashboard.
 */
async function noteRefund(tx: Context, orderId: string, sent: Stripe.Refund): Promise<void> {
  const state = STATES[sent.status ?? ''] ?? 'pending'
  const settledAt = state === 'pending' ? null : tx.clock.now()
  const known =
    (await tx.db.refund.findFirst({ where: { orderId, stripeRefundId: sent.id } })) ??
    // A second refund with the same metadata also returned money, so it is recorded by itself.
    (await tx.db.refund.findFirst({ where: { orderId, id: sent.metadata?.refundId ?? '', stripeRefundId: null } }))
  if (known) {
    // A failed refund never succeeds later. If Stripe's response has another state, it was read before the refund
    // failed.
    const isOver = known.state === state || known.state === 'failed'
    if (isOver && known.stripeRefundId) return
    // A refund of "the whole payment" is smaller if part of the payment was refunded in Stripe's dashboard meanwhile.
    const amountCents = sent.amount
    const parts = {
      amountCents,
      platformFeeCents: Math.min(known.platformFeeCents, amountCents),
      shippingCents: Math.min(known.shippingCents, amountCents),
    }
    await tx.db.refund.update({
      where: { id: known.id },
      data: { state, ...parts, stripeRefundId: sent.id, settledAt },
    })
    await followUp(tx, { ...known, ...parts, state })
    return
  }
  const order = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include: { refunds: true } })
  const before = sentRefunds(order.refunds)
  const beforeCents = before.reduce((sum, refund) => sum + refund.amountCents, 0)
  const feeOf = (cents: number) =>
    refundedFeeCents(order.platformFeeCents, order.amountCents, Math.min(cents, order.amountCents))
  // A refund answers the buyer's open request, wherever the refund was made.
  const asked = order.refunds.find((refund) => refund.state === 'requested')
  if (asked && state !== 'failed') await tx.db.refund.delete({ where: { id: asked.id } })
  const created = await tx.db.refund.create({
    data: {
      id: `ref_${sent.id}`,
      orderId,
      amountCents: sent.amount,
      platformFeeCents: feeOf(beforeCents + sent.amount) - feeOf(beforeCents),
      state,
      reason: asked?.reason ?? '',
      requestedBy: 'stripe' satisfies RefundRequester,
      stripeRefundId: sent.id,
      settledAt,
    },
  })
  await followUp(tx, created)
}

/**
 * Acts once on a refund's new state. After a success, the buyer is notified, keys that the buyer has not seen go back
 * into the pool, and the units that the seller chose are restocked. After a rejection by the bank, the order gets its
 * units and keys back as far as possible, and the buyer and the seller are notified. When a refund that the platform
 * owes fails, its buyer has neither goods nor money. The buyer is then asked for another way to be paid back, and the
 * administrators are notified instead of the seller. This also applies to a refund of such an order that someone made
 * in Stripe's dashboard, and to the refunds of a seller who has left. While our own refund is not sent yet, nobody is
 * notified, because our refund will include the failed part. The same applies when the refund of a late order follows.
 */
async function followUp(tx: Context, refund: Refund): Promise<void> {
  if (refund.state === 'pending') return
  const { refunds, ...order } = await tx.db.order.findUniqueOrThrow({
    where: { id: refund.orderId },
    include: { seller: true, refunds: true },
  })
  const mails: QueuedMail[] = []
  const isFailed = refund.state === 'failed'
  const isOwed = refunds.some(isOwedByPlatform) || canOnlyPlatformRepay(order)
  if (isFailed && refunds.some(isUnsentForFailedPurchase)) return
  // The units come first, because their keys are spare only once they are off sale.
  const again = isFailed
    ? { units: await takeUnitsAgain(tx, order.id), keys: await giveMissingKeys(tx, order.id) }
    : undefined
  if (isFailed && isOwed) mails.push(...(await refundOwedMails(tx, order, refund)))
  else if (isFailed) mails.push(refundFailedNotice(order, refund, tx.appUrl, again))
  if (order.buyerEmail) {
    const retired = await retiredNumbers(tx, order, refunds)
    mails.push(buyerNotice(tx, { ...order, retired }, refund, isOwed))
  }
  // A late refund of the same amount follows (settleLateOrder), at the latest once the pending refunds have succeeded.
  // Neither side has to pay it back in another way.
  const ended = refunds.map((other) => (other.state === 'pending' ? { ...other, state: 'succeeded' } : other))
  if (!isFailed || nextLateStep(order, ended) !== 'refund') await queueMail(tx, mails)
  if (refund.state === 'succeeded') {
    await returnKeys(tx, order.id)
    await restockUnits(tx, order.holdId, refund.restockUnits)
  }
}

/**
 * Returns the numbers of the order's units whose whole price is refunded. The last numbers are retired first (ADR
 * 0056). The order's own sum does not contain the newest refund yet, so the refunds are added up. A refund of the
 * shipping retires no number.
 */
async function retiredNumbers(tx: Context, order: Order, refunds: readonly Refund[]): Promise<number[]> {
  return (await findEdition(tx.db, order.id))?.numbers.slice(unrefundedUnits(order, sentRefunds(refunds))) ?? []
}

function buyerNotice(
  tx: Context,
  order: OrderWithSeller & { retired: number[] },
  refund: Refund,
  isOwed: boolean,
): QueuedMail {
  const email = order.buyerEmail ?? ''
  if (refund.state === 'failed') {
    return isOwed
      ? unpayableRefundNotice(order, refund, email, tx.appUrl)
      : refundReturnedNotice(order, refund, email, tx.appUrl)
  }
  if (refund.requestedBy === 'system') return failedPurchaseMail(order, email, tx.appUrl, refund.reason)
  if (refund.requestedBy === 'late') return lateRefundNotice(order, refund, email, tx.appUrl)
  if (refund.requestedBy === 'mismatch') return mismatchRefundNotice(order, refund, email, tx.appUrl)
  return refundNotice(order, refund, email, tx.appUrl)
}

/**
 * Returns the fee of a dispute in the dispute's currency. A returned fee is negative, and is rounded like the fee that
 * it returns. A movement without an exchange rate is left out, because its amount is in another currency.
 */
function disputeFeeCents({ currency, balance_transactions: moved }: Stripe.Dispute): number {
  return moved.reduce((sum, { fee, ...rest }) => {
    const cents = feeInChargeCurrency({ ...rest, fee: Math.abs(fee) }, currency) ?? 0
    return sum + Math.sign(fee) * cents
  }, 0)
}

async function noteDispute(tx: Context, orderId: string, dispute: Stripe.Dispute): Promise<void> {
  const dueSeconds = dispute.evidence_details.due_by
  const known = await tx.db.dispute.findUnique({ where: { stripeDisputeId: dispute.id } })
  const facts = {
    status: dispute.status,
    amountCents: dispute.amount,
    closedAt: isClosedDispute(dispute.status) ? (known?.closedAt ?? tx.clock.now()) : null,
    feeCents: disputeFeeCents(dispute),
    dueAt: dueSeconds ? new Date(dueSeconds * SECOND_MS) : null,
  }
  // The fee and the amount are compared too, because they can change while the status stays the same.
  const isKnown =
    known?.status === facts.status &&
    known.dueAt?.getTime() === facts.dueAt?.getTime() &&
    known.feeCents === facts.feeCents &&
    known.amountCents === facts.amountCents
  if (isKnown) {
    // A process of an earlier version may have recorded the loss without returning the keys.
    if (known.status === 'lost') await returnKeys(tx, orderId)
    return
  }
  // When an inquiry becomes a dispute, evidence can be sent again.
  const isEscalated = known && isInquiry(known.status) && !isInquiry(facts.status)
  const noted = await tx.db.dispute.upsert({
    where: { stripeDisputeId: dispute.id },
    create: {
      id: `dis_${dispute.id}`,
      orderId,
      stripeDisputeId: dispute.id,
      reason: dispute.reason,
      ...facts,
    },
    update: { ...facts, ...(isEscalated ? { submittedAt: null } : {}) },
  })
  // The buyer keeps the money of a lost dispute, so its keys are treated like those of a refund.
  if (noted.status === 'lost') await returnKeys(tx, orderId)
  else if (noted.closedAt) await giveMissingKeys(tx, orderId)
  // A dispute that is already decided when we first see it gets only the email about the decision.
  if (noted.closedAt) return
  const include = { seller: true, transfer: true }
  const { transfer, ...order } = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include })
  const mail = isInquiry(noted.status)
    ? inquiryNotice(order, noted, tx.appUrl)
    : disputeNotice(order, { ...noted, payout: disputedPayout(transfer) }, tx.appUrl)
  await queueMail(tx, [mail])
}

/** Returns what a new dispute does to a payout. One that was paid by hand is deducted only when the dispute is lost. */
function disputedPayout(transfer: Transfer | null): 'left' | 'waiting' | null {
  if (hasLeft(transfer)) return 'left'
  return transfer?.sentCents === null ? 'waiting' : null
}

/**
 * Records the status that follows from the rows. An order that got no unit counts as fully refunded, even if its refund
 * fails.
 */
async function recordStatus(tx: Context, orderId: string): Promise<Order> {
  const order = await tx.db.order.findUniqueOrThrow({
    where: { id: orderId },
    include: { refunds: true, disputes: true },
  })
  if (!order.paidAt) return order
  const isUnfulfilled = order.refunds.some(({ requestedBy }) => requestedBy === 'system')
  const succeeded = order.refunds.filter(({ state }) => state === 'succeeded')
  const sumCents = succeeded.reduce((sum, refund) => sum + refund.amountCents, 0)
  const refundedCents = isUnfulfilled ? order.amountCents : Math.min(order.amountCents, sumCents)
  const isDisputed = isDisputedOrder({ ...order, refundedCents })
  const status = statusOf({
    isPaid: true,
    isHoldOver: false,
    amountCents: order.amountCents,
    refundedCents,
    isDisputed,
    productType: order.productType,
    isShipped: order.shippedAt !== null,
    isDelivered: order.deliveredAt !== null,
  })
  if (status === order.status && refundedCents === order.refundedCents) return order
  if (!mayMove(order.status, status)) {
    tx.log.error({ orderId, from: order.status, to: status }, 'an order must not move to this status')
    return order
  }
  const disputedAt = isDisputed ? (order.disputedAt ?? tx.clock.now()) : order.disputedAt
  return tx.db.order.update({ where: { id: orderId }, data: { status, refundedCents, disputedAt } })
}
