import 'server-only'
import type { Order, Refund, User } from '@prisma/client'
import type Stripe from 'stripe'
import { type Context, transaction } from '@/lib/infra/context'
import { SECOND_MS } from '@/lib/kernel/time'
import { settleOrderPayout } from '@/lib/payouts/deduct-from-payout'
import { bookDeduction } from './book-deduction'
import { aboveCodeLimitNotice, codeUsedUpNotice } from './code-mails'
import {
  aboveLimitNotice,
  disputeClosedNotice,
  disputeNotice,
  inquiryNotice,
  mismatchRefundNotice,
  partRefundNotice,
  refundFailedNotice,
  refundNotice,
  refundReturnedNotice,
  unpayableRefundNotice,
} from './money-mails'
import { queueMail } from '@/lib/notifications/queue-mail'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { refundOwedMails } from './note-refused-refund'
import { restockUnits } from './restock-units'
import {
  ABOVE_CODE_LIMIT,
  ABOVE_LIMIT,
  CODE_USED_UP,
  isClosedDispute,
  isDisputedOrder,
  isInquiry,
  isOwedByPlatform,
  mayMove,
  refundedFeeCents,
  type RefundRequester,
  sentRefunds,
  statusOf,
} from './rules'

/**
 * Updates an order's refunds and disputes from Stripe, whether the change came from our own call, from an event or from
 * Stripe's dashboard. May run any number of times and in any sequence.
 */
export async function syncRefunds(ctx: Context, orderId: string): Promise<string> {
  const { stripePaymentIntentId: intentId } = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId } })
  if (!intentId) return 'unpaid'
  const filter = { payment_intent: intentId, limit: 100 }
  const refunds = await ctx.stripe().refunds.list(filter).autoPagingToArray({ limit: 1_000 })
  const disputes = await ctx.stripe().disputes.list(filter).autoPagingToArray({ limit: 100 })
  const order = await transaction(ctx, async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "id" = ${orderId} FOR UPDATE`
    for (const refund of refunds) await noteRefund(tx, orderId, refund)
    for (const dispute of disputes) await noteDispute(tx, orderId, dispute)
    const booked = await book(tx, orderId)
    await bookDeduction(tx, booked)
    await queueDisputeClosedMails(tx, booked)
    return booked
  })
  await settleOrderPayout(ctx, orderId)
  return order.status
}

/** Notifies the seller once of the bank's decision about a dispute, as soon as its cost is recorded. */
async function queueDisputeClosedMails(tx: Context, { id: orderId }: Order): Promise<void> {
  const closed = await tx.db.dispute.findMany({ where: { orderId, closedAt: { not: null } } })
  if (closed.length === 0) return
  const include = { seller: true, transfer: true }
  const { transfer, ...order } = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include })
  const payout = { cents: transfer?.amountCents ?? 0, takenCents: transfer?.deductedCents ?? 0 }
  const mails = closed.map((dispute) => disputeClosedNotice(order, dispute, payout, tx.appUrl))
  await queueMail(tx, mails)
}

type OrderWithSeller = Order & { seller: User }

const STATES: Record<string, Refund['state']> = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' }

/**
 * Records one refund from Stripe: one of ours, recognised by the id in its metadata, or one that was made in Stripe's
 * dashboard.
 */
async function noteRefund(tx: Context, orderId: string, sent: Stripe.Refund): Promise<void> {
  const state = STATES[sent.status ?? ''] ?? 'pending'
  const settledAt = state === 'pending' ? null : tx.clock.now()
  const known = await tx.db.refund.findFirst({
    where: { orderId, OR: [{ stripeRefundId: sent.id }, { id: sent.metadata?.refundId ?? '' }] },
  })
  if (known) {
    // A failed refund never succeeds later: an answer with another state was read before the refund failed.
    const isOver = known.state === state || known.state === 'failed'
    if (isOver && known.stripeRefundId) return
    // A refund of "the whole payment" is less when a part of it went back in Stripe's dashboard meanwhile.
    const amountCents = sent.amount
    await tx.db.refund.update({
      where: { id: known.id },
      data: { state, amountCents, stripeRefundId: sent.id, settledAt },
    })
    await followUp(tx, { ...known, amountCents, state })
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
 * Does what follows from a refund's new state, once each: notifies the buyer of a refund on its way, the buyer and the
 * seller of one that the bank rejected, and restocks the units the seller chose. When a refund that the platform owes
 * fails, its buyer has neither goods nor money and is asked for another way to be paid back, and the administrators are
 * notified.
 */
async function followUp(tx: Context, refund: Refund): Promise<void> {
  if (refund.state === 'pending') return
  const order = await tx.db.order.findUniqueOrThrow({ where: { id: refund.orderId }, include: { seller: true } })
  const mails: QueuedMail[] = []
  const isFailed = refund.state === 'failed'
  if (isFailed && isOwedByPlatform(refund)) mails.push(...(await refundOwedMails(tx, order, refund)))
  else if (isFailed) mails.push(refundFailedNotice(order, refund, tx.appUrl))
  if (order.buyerEmail) mails.push(buyerNotice(tx, order, refund, order.buyerEmail))
  await queueMail(tx, mails)
  if (refund.state === 'succeeded') await restockUnits(tx, order.holdId, refund.restockUnits)
}

/** Why a payment got no unit, where the buyer should read another reason than that the last unit was sold. */
const VOID_NOTICES: Record<string, typeof refundNotice> = {
  [ABOVE_LIMIT]: aboveLimitNotice,
  [ABOVE_CODE_LIMIT]: aboveCodeLimitNotice,
  [CODE_USED_UP]: codeUsedUpNotice,
}

function buyerNotice(tx: Context, order: OrderWithSeller, refund: Refund, email: string): QueuedMail {
  if (refund.state === 'failed') {
    return isOwedByPlatform(refund)
      ? unpayableRefundNotice(order, refund, email, tx.appUrl)
      : refundReturnedNotice(order, refund, email, tx.appUrl)
  }
  if (refund.requestedBy === 'system') {
    const notice = VOID_NOTICES[refund.reason] ?? refundNotice
    return notice(order, email, tx.appUrl)
  }
  if (refund.requestedBy === 'mismatch') return mismatchRefundNotice(order, refund, email, tx.appUrl)
  return partRefundNotice(order, refund, email, tx.appUrl)
}

async function noteDispute(tx: Context, orderId: string, dispute: Stripe.Dispute): Promise<void> {
  const dueSeconds = dispute.evidence_details.due_by
  const known = await tx.db.dispute.findUnique({ where: { stripeDisputeId: dispute.id } })
  const facts = {
    status: dispute.status,
    amountCents: dispute.amount,
    closedAt: isClosedDispute(dispute.status) ? (known?.closedAt ?? tx.clock.now()) : null,
    feeCents: dispute.balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
    dueAt: dueSeconds ? new Date(dueSeconds * SECOND_MS) : null,
  }
  // The money of a dispute moves at other times than its status.
  const isKnown =
    known?.status === facts.status &&
    known.dueAt?.getTime() === facts.dueAt?.getTime() &&
    known.feeCents === facts.feeCents &&
    known.amountCents === facts.amountCents
  if (isKnown) return
  // An inquiry that became a dispute can be answered again.
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
  // A dispute that is already decided when we first see it gets only the mail about the decision.
  if (noted.closedAt) return
  const order = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include: { seller: true } })
  const notice = isInquiry(noted.status) ? inquiryNotice : disputeNotice
  await queueMail(tx, [notice(order, noted, tx.appUrl)])
}

/** The status that follows from the rows. An order that got no unit counts as fully refunded, even if its refund fails. */
async function book(tx: Context, orderId: string): Promise<Order> {
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
    tx.log.error({ orderId, from: order.status, to: status }, 'order cannot move there')
    return order
  }
  const disputedAt = isDisputed ? (order.disputedAt ?? tx.clock.now()) : order.disputedAt
  return tx.db.order.update({ where: { id: orderId }, data: { status, refundedCents, disputedAt } })
}
