import 'server-only'
import type { Order, Refund } from '@prisma/client'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import type { Tx } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { stripe } from '@/lib/infra/stripe'
import { SECOND_MS } from '@/lib/kernel/time'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { noteShareTaken, reverseTransfer } from '@/lib/payouts/reverse-transfer'
import { shareToTakeBack } from '@/lib/payouts/rules'
import { disputeClosedNotice, disputeNotice, partRefundNotice, refundFailedNotice } from './money-mails'
import { restockUnits } from './restock-units'
import {
  isClosedDispute,
  isStandingDispute,
  mayMove,
  refundedFeeCents,
  type RefundRequester,
  sentRefunds,
  statusOf,
} from './rules'

/**
 * Brings an order's refunds and disputes in line with Stripe's, whoever made them and in whatever order we hear of it: our
 * own call, an event, Stripe's dashboard. May run any number of times.
 */
export async function syncRefunds(ctx: Context, orderId: string): Promise<string> {
  const { stripePaymentIntentId: intentId } = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId } })
  if (!intentId) return 'unpaid'
  const filter = { payment_intent: intentId, limit: 100 }
  const refunds = await stripe().refunds.list(filter).autoPagingToArray({ limit: 1_000 })
  const disputes = await stripe().disputes.list(filter).autoPagingToArray({ limit: 100 })
  const order = await ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "Order" WHERE "id" = ${orderId} FOR UPDATE`
    for (const refund of refunds) await noteRefund(ctx, tx, orderId, refund)
    for (const dispute of disputes) await noteDispute(ctx, tx, orderId, dispute)
    const booked = await book(ctx, tx, orderId)
    await bookShare(tx, booked)
    await queueDisputeClosedMails(tx, booked)
    return booked
  })
  await reverseTransfer(ctx, orderId)
  return order.status
}

/** What of the seller's share is taken back now, also when it is less than before: a bank may turn a refund down. */
async function bookShare(tx: Tx, order: Order): Promise<void> {
  const isLost = (await tx.dispute.count({ where: { orderId: order.id, status: 'lost' } })) > 0
  const feeCents = refundedFeeCents(order.platformFeeCents, order.amountCents, order.refundedCents)
  const amountCents = isLost
    ? order.sellerPayoutCents
    : shareToTakeBack(order.refundedCents, feeCents, order.sellerPayoutCents)
  await noteShareTaken(tx, { orderId: order.id, amountCents })
}

/** The seller hears the bank's last word once, when the books know what it costs. */
async function queueDisputeClosedMails(tx: Tx, { id: orderId }: Order): Promise<void> {
  const closed = await tx.dispute.findMany({ where: { orderId, closedAt: { not: null } } })
  if (closed.length === 0) return
  const include = { seller: true, transfer: true }
  const { transfer, ...order } = await tx.order.findUniqueOrThrow({ where: { id: orderId }, include })
  const share = { cents: transfer?.amountCents ?? 0, takenCents: transfer?.reversedCents ?? 0 }
  const mails = closed.map((dispute) => disputeClosedNotice(order, dispute, share, env().appUrl))
  await tx.outboxMail.createMany({ data: mails, skipDuplicates: true })
}

const STATES: Record<string, Refund['state']> = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' }

/** One refund of Stripe's: ours by the id it carries, else one that was made in Stripe's dashboard. */
async function noteRefund(ctx: Context, tx: Tx, orderId: string, sent: Stripe.Refund): Promise<void> {
  const state = STATES[sent.status ?? ''] ?? 'pending'
  const settledAt = state === 'pending' ? null : ctx.clock.now()
  const known = await tx.refund.findFirst({
    where: { orderId, OR: [{ stripeRefundId: sent.id }, { id: sent.metadata?.refundId ?? '' }] },
  })
  // A refund of an order that got no unit is written down before Stripe knows it, without an id of ours at Stripe.
  const unfulfilled = known ?? (await tx.refund.findFirst({ where: { orderId, requestedBy: 'system' } }))
  if (unfulfilled) {
    // Turned down is the end of a refund at Stripe: what says otherwise was read earlier.
    const isOver = unfulfilled.state === state || unfulfilled.state === 'failed'
    if (isOver && unfulfilled.stripeRefundId) return
    const data = { state, stripeRefundId: sent.id, settledAt }
    await tx.refund.update({ where: { id: unfulfilled.id }, data })
    if (unfulfilled.requestedBy !== 'system') await followUp(tx, { ...unfulfilled, state })
    return
  }
  const order = await tx.order.findUniqueOrThrow({ where: { id: orderId }, include: { refunds: true } })
  const before = sentRefunds(order.refunds)
  const beforeCents = before.reduce((sum, refund) => sum + refund.amountCents, 0)
  const feeOf = (cents: number) =>
    refundedFeeCents(order.platformFeeCents, order.amountCents, Math.min(cents, order.amountCents))
  // Money answers what the buyer had asked for, wherever it was sent from.
  const asked = order.refunds.find((refund) => refund.state === 'requested')
  if (asked && state !== 'failed') await tx.refund.delete({ where: { id: asked.id } })
  const created = await tx.refund.create({
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

/** Once per refund and state: the buyer is told of money, the seller of a refusal; units come back as the seller said. */
async function followUp(tx: Tx, refund: Refund): Promise<void> {
  if (refund.state === 'pending') return
  const order = await tx.order.findUniqueOrThrow({ where: { id: refund.orderId }, include: { seller: true } })
  const mails: QueuedMail[] = []
  if (refund.state === 'failed') mails.push(refundFailedNotice(order, refund, env().appUrl))
  else if (order.buyerEmail) mails.push(partRefundNotice(order, refund, order.buyerEmail, env().appUrl))
  await tx.outboxMail.createMany({ data: mails, skipDuplicates: true })
  if (refund.state === 'succeeded') await restockUnits(tx, order.holdId, refund.restockUnits)
}

async function noteDispute(ctx: Context, tx: Tx, orderId: string, dispute: Stripe.Dispute): Promise<void> {
  const dueSeconds = dispute.evidence_details.due_by
  const facts = {
    status: dispute.status,
    closedAt: isClosedDispute(dispute.status) ? ctx.clock.now() : null,
    feeCents: dispute.balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
    dueAt: dueSeconds ? new Date(dueSeconds * SECOND_MS) : null,
  }
  const known = await tx.dispute.findUnique({ where: { stripeDisputeId: dispute.id } })
  if (known && known.status === facts.status && known.dueAt?.getTime() === facts.dueAt?.getTime()) return
  const noted = await tx.dispute.upsert({
    where: { stripeDisputeId: dispute.id },
    create: {
      id: `dis_${dispute.id}`,
      orderId,
      stripeDisputeId: dispute.id,
      amountCents: dispute.amount,
      reason: dispute.reason,
      ...facts,
    },
    update: facts,
  })
  const order = await tx.order.findUniqueOrThrow({ where: { id: orderId }, include: { seller: true } })
  await tx.outboxMail.createMany({ data: [disputeNotice(order, noted, env().appUrl)], skipDuplicates: true })
}

/** What the rows add up to. An order whose unit never was stays refunded, whatever the bank does. */
async function book(ctx: Context, tx: Tx, orderId: string): Promise<Order> {
  const order = await tx.order.findUniqueOrThrow({ where: { id: orderId }, include: { refunds: true, disputes: true } })
  if (!order.paidAt) return order
  const isUnfulfilled = order.refunds.some(({ requestedBy }) => requestedBy === 'system')
  const succeeded = order.refunds.filter(({ state }) => state === 'succeeded')
  const sumCents = succeeded.reduce((sum, refund) => sum + refund.amountCents, 0)
  const refundedCents = isUnfulfilled ? order.amountCents : Math.min(order.amountCents, sumCents)
  const isDisputed = order.disputes.some(({ status }) => isStandingDispute(status))
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
    ctx.log.error({ orderId, from: order.status, to: status }, 'order cannot move there')
    return order
  }
  const disputedAt = isDisputed ? (order.disputedAt ?? ctx.clock.now()) : order.disputedAt
  return tx.order.update({ where: { id: orderId }, data: { status, refundedCents, disputedAt } })
}
