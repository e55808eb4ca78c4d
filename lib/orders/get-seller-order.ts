import 'server-only'
import { imageSrc } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { referenceOf } from '@/lib/kernel/id'
import { againCents, dueAgainCents, isPromisedParcel, nothingSentBefore, waitsInCurrency } from '@/lib/payouts/rules'
import { toHandPaymentView } from '@/lib/payouts/view'
import { areGoodsRefunded, unrefundedUnits } from '@/lib/stock/unit-rules'
import { takenByDispute } from './taken-by-dispute'
import { orderError } from './messages'
import { orderTimeline } from './order-timeline'
import { isAnswerable, isClosedDispute, isOpenDispute, isStandingDispute, keptUnits } from './dispute-rules'
import { lateFrom } from './late-rules'
import { sentRefunds } from './refund-rules'
import { completionOf } from './rules'
import { findOrderRecord, type OrderRecord } from './seller-queries'
import type { SellerKeyView, SellerOrderDetailView } from './detail-view'
import { isSlipOutdated, isToShip, optionOfOrder } from './seller-view'
import { discountOfOrder, openDelayOf, promiseOfOrder, shippingOfOrder, toAddress } from './view'

/**
 * Returns one order as its seller sees it.
 * @throws NOT_FOUND for another seller's order and for an order that is not paid.
 */
export async function getSellerOrder(ctx: Context, sellerId: number, orderId: string): Promise<SellerOrderDetailView> {
  const now = ctx.clock.now()
  const order = await findOrderRecord(ctx.db, orderId, sellerId)
  if (!order) throw orderError('NOT_FOUND')
  const [image] = order.drop.images
  const sent = sentRefunds(order.refunds)
  const hasProposed = order.delays.some(
    (delay) => delay.isProposed && delay.missedDay.getTime() === order.shipsBy?.getTime(),
  )
  const isWaiting = isToShip({ ...order, areGoodsRefunded: areGoodsRefunded(order, order.refunds) })
  return {
    id: order.id,
    reference: referenceOf(order.id),
    status: order.status,
    title: order.dropTitle,
    productType: order.productType,
    quantity: order.quantity,
    unitsLeft: unrefundedUnits(
      order,
      order.refunds.filter(({ state }) => state === 'succeeded'),
    ),
    amountCents: order.amountCents,
    unitPriceCents: order.unitPriceCents,
    discount: discountOfOrder(order),
    shipping: shippingOfOrder(order),
    edition: order.edition,
    isEarly: order.isEarly,
    option: optionOfOrder(order),
    run: order.hold.run,
    promise: promiseOfOrder(order),
    delay: openDelayOf(order),
    canProposeDay: isWaiting && order.shipsBy !== null && !hasProposed,
    isToShip: isWaiting,
    isLate: isWaiting && lateFrom({ shipsBy: order.shipsBy, paidAt: order.paidAt ?? order.createdAt }) < now,
    isLateRefund: order.lateRefundAt !== null,
    addressVersion: order.addressVersion,
    isSlipOutdated: isSlipOutdated(order),
    imageSrc: image ? imageSrc(image.key, image.widths[0] ?? image.width) : null,
    paidAt: (order.paidAt ?? order.createdAt).toISOString(),
    buyerName: order.buyerName,
    buyerEmail: order.buyerEmail,
    address: toAddress(order),
    carrier: order.carrier,
    trackingNumber: order.trackingNumber,
    money: moneyOf(order),
    payout: payoutOf(ctx, order),
    refunds: sent.map(({ amountCents, restockUnits, shippingCents }) => ({ amountCents, restockUnits, shippingCents })),
    request: requestOf(order),
    completion: completionOf(order),
    dispute: disputeOf(order, now),
    keys: keysOf(order),
    timeline: orderTimeline(order, 'seller', order.seller.timezone),
  }
}

function keysOf(order: OrderRecord): SellerKeyView[] {
  const units = keptUnits(order)
  return order.keys.map(({ id, key, shownAt, voidedAt }, index) => {
    const seen = voidedAt ? 'void' : index < units ? 'shown' : 'spent'
    return { id, key, state: shownAt ? seen : 'given', shownAt: shownAt?.toISOString() ?? null }
  })
}

function requestOf({ refunds }: OrderRecord): SellerOrderDetailView['request'] {
  const open = refunds.find(({ state }) => state === 'requested')
  return open ? { id: open.id, reason: open.reason } : null
}

/** Returns what the seller keeps, with the lines of the calculation. An order that got no unit has no payout. */
function moneyOf(order: OrderRecord): SellerOrderDetailView['money'] {
  // A refund that is taken back first is deducted from the payout while it is pending.
  const takenFirst = order.refunds.filter(({ state, isTakenBackFirst }) => state === 'pending' && isTakenBackFirst)
  const refundedCents = takenFirst.reduce((sum, { amountCents }) => sum + amountCents, order.refundedCents)
  const returnedFeeCents = [...order.refunds.filter(({ state }) => state === 'succeeded'), ...takenFirst].reduce(
    (sum, refund) => sum + refund.platformFeeCents,
    0,
  )
  const { cardFeeCents, transfer } = order
  const keptCents = transfer ? transfer.amountCents - transfer.deductedCents - transfer.feeOwedCents : 0
  const leftCents = order.sellerPayoutCents - (cardFeeCents ?? 0) - refundedCents + returnedFeeCents
  const isTaken = order.disputes.some(({ status }) => isStandingDispute(status))
  const disputeTakenCents = isTaken ? Math.max(0, leftCents - keptCents) : 0
  return {
    platformFeeCents: order.platformFeeCents,
    platformFeeBps: order.platformFeeBps,
    taxCents: order.taxCents,
    sellerPayoutCents: order.sellerPayoutCents,
    refundedCents,
    returnedFeeCents,
    cardFeeCents,
    disputeTakenCents,
    coveredCents: Math.max(0, keptCents - leftCents + disputeTakenCents),
    netCents: cardFeeCents === null ? null : keptCents,
  }
}

function payoutOf(ctx: Context, order: OrderRecord): SellerOrderDetailView['payout'] {
  const { transfer, seller, status } = order
  if (!transfer || ctx.payments === 'off') return null
  return {
    state: transfer.state,
    isHeld: status === 'disputed',
    againCents: againCents(transfer),
    isReady: seller.payoutsState === 'ready',
    settledIn: waitsInCurrency(transfer, order),
    handPayments: transfer.handPayments.map(toHandPaymentView),
    dueAgainCents: dueAgainCents(transfer),
    dueAt: transfer.dueAt.toISOString(),
    isPromisedParcel: isPromisedParcel(order, order.refunds),
    heldUntil: nothingSentBefore(seller)?.toISOString() ?? null,
    sentAt: transfer.sentAt?.toISOString() ?? null,
    sentCents: transfer.sentCents,
  }
}

function disputeOf(order: OrderRecord, now: Date): SellerOrderDetailView['dispute'] {
  const { disputes, purchase, transfer } = order
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
    takenCents: transfer ? takenByDispute(order, disputes, dispute) : 0,
  }
}
