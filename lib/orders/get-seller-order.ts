import 'server-only'
import { imageSrc } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { referenceOf } from '@/lib/kernel/id'
import { orderError } from './messages'
import { orderTimeline } from './order-timeline'
import {
  completionOf,
  isAnswerable,
  isClosedDispute,
  isOpenDispute,
  isStandingDispute,
  lostCents,
  sentRefunds,
} from './rules'
import { findOrderRecord, type OrderRecord } from './seller-queries'
import type { SellerOrderDetailView } from './seller-view'
import { discountOfOrder, toAddress } from './view'

/**
 * One order as its seller sees it.
 * @throws NOT_FOUND for another seller's order and for one that is not paid.
 */
export async function getSellerOrder(ctx: Context, sellerId: number, orderId: string): Promise<SellerOrderDetailView> {
  const now = ctx.clock.now()
  const order = await findOrderRecord(ctx.db, orderId, sellerId)
  if (!order) throw orderError('NOT_FOUND')
  const [image] = order.drop.images
  const sent = sentRefunds(order.refunds)
  return {
    id: order.id,
    reference: referenceOf(order.id),
    status: order.status,
    title: order.dropTitle,
    productType: order.productType,
    quantity: order.quantity,
    amountCents: order.amountCents,
    unitPriceCents: order.unitPriceCents,
    discount: discountOfOrder(order),
    imageSrc: image ? imageSrc(image.key, image.widths[0] ?? image.width) : null,
    paidAt: (order.paidAt ?? order.createdAt).toISOString(),
    buyerName: order.buyerName,
    buyerEmail: order.buyerEmail,
    address: toAddress(order),
    carrier: order.carrier,
    trackingNumber: order.trackingNumber,
    money: moneyOf(order),
    payout: payoutOf(ctx, order),
    refunds: sent.map(({ amountCents, restockUnits }) => ({ amountCents, restockUnits })),
    request: requestOf(order),
    completion: completionOf(order),
    dispute: disputeOf(order, now),
    timeline: orderTimeline(order, 'seller'),
  }
}

function requestOf({ refunds }: OrderRecord): SellerOrderDetailView['request'] {
  const open = refunds.find(({ state }) => state === 'requested')
  return open ? { id: open.id, reason: open.reason } : null
}

/** What the seller keeps, and the lines of the calculation. An order that got no unit has no payout. */
function moneyOf(order: OrderRecord): SellerOrderDetailView['money'] {
  const returnedFeeCents = order.refunds
    .filter(({ state }) => state === 'succeeded')
    .reduce((sum, refund) => sum + refund.platformFeeCents, 0)
  const { cardFeeCents, transfer } = order
  const keptCents = transfer ? transfer.amountCents - transfer.deductedCents - transfer.feeOwedCents : 0
  const leftCents = order.sellerPayoutCents - (cardFeeCents ?? 0) - order.refundedCents + returnedFeeCents
  const disputeTakenCents = lostCents(order) > 0 ? Math.max(0, leftCents - keptCents) : 0
  return {
    platformFeeCents: order.platformFeeCents,
    platformFeeBps: order.platformFeeBps,
    sellerPayoutCents: order.sellerPayoutCents,
    refundedCents: order.refundedCents,
    returnedFeeCents,
    cardFeeCents,
    disputeTakenCents,
    coveredCents: Math.max(0, keptCents - leftCents + disputeTakenCents),
    netCents: cardFeeCents === null ? null : keptCents,
  }
}

function payoutOf(ctx: Context, { transfer, seller, status }: OrderRecord): SellerOrderDetailView['payout'] {
  if (!transfer || ctx.payments === 'off') return null
  return {
    state: transfer.state,
    isHeld: status === 'disputed',
    isReady: seller.payoutsState === 'ready',
    dueAt: transfer.dueAt.toISOString(),
    sentAt: transfer.sentAt?.toISOString() ?? null,
  }
}

function disputeOf(order: OrderRecord, now: Date): SellerOrderDetailView['dispute'] {
  const { disputes, purchase } = order
  const dispute =
    disputes.findLast(({ status }) => isOpenDispute(status)) ??
    disputes.findLast(({ status }) => !isClosedDispute(status)) ??
    disputes.findLast(({ status }) => isStandingDispute(status)) ??
    disputes.at(-1)
  if (!dispute) return null
  return {
    status: dispute.status,
    reason: dispute.reason,
    amountCents: dispute.amountCents,
    dueAt: dispute.dueAt?.toISOString() ?? null,
    submittedAt: dispute.submittedAt?.toISOString() ?? null,
    hasSnapshot: purchase !== null,
    canAnswer: isAnswerable(dispute, now),
    isClosed: isClosedDispute(dispute.status),
    feeCents: dispute.feeCents,
    takenCents: moneyOf(order).disputeTakenCents,
  }
}
