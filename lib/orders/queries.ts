import 'server-only'
import type { Order, Refund } from '@prisma/client'
import { findEdition } from '@/lib/drops/editions/edition-queries'
import { canonicalIdentifier } from '@/lib/drops/rules'
import { imageSrc } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import type { Db } from '@/lib/infra/db'
import { referenceOf } from '@/lib/kernel/id'
import { orderTimeline } from './order-timeline'
import { keySequence } from './key-sequence'
import { owedRefundOf } from './owed-refund-of'
import { isLostOrder } from './dispute-rules'
import { refundOfRest } from './refund-rules'
import { askAgainFrom, completionOf, isRefundable } from './rules'
import { findTrader } from '@/lib/traders/queries'
import { addressFormOf } from './address-view'
import {
  type BuyerOrderView,
  discountOfOrder,
  fileOfOrder,
  openDelayOf,
  promiseOfOrder,
  shippingOfOrder,
  toAddress,
  toKeysView,
} from './view'

type RefundedOrder = Pick<Order, 'status' | 'amountCents' | 'platformFeeCents'> & { refunds: Refund[] }

/** The state of a buyer's refund request. None can be sent when the whole amount was refunded or is on its way back. */
function requestOf(order: RefundedOrder): BuyerOrderView['request'] {
  const { refunds, status } = order
  const declined = refunds.filter(({ state }) => state === 'declined')
  const from = askAgainFrom(declined.map(({ settledAt, createdAt }) => settledAt ?? createdAt))
  const isOpen = refunds.some(({ state }) => state === 'requested')
  const canAsk = isRefundable(status) && !isOpen && refundOfRest(order, refunds).amountCents > 0
  const last = canAsk ? declined.at(-1) : undefined
  return {
    isOpen,
    declined: last ? { answer: last.answer } : null,
    askAgainFrom: canAsk ? (from?.toISOString() ?? null) : null,
  }
}

/**
 * Finds the order that a buyer's link leads to, with its drop.
 * @param sellerLimit the limit of sellers who have not been checked, who may ship only within one country
 */
export async function findBuyerOrder(
  db: Db,
  token: string,
  sellerLimit: Context['sellerLimit'] = null,
): Promise<BuyerOrderView | null> {
  const order = await db.order.findUnique({
    where: { token },
    include: {
      seller: { select: { username: true, firstName: true, deletedAt: true, payoutsState: true } },
      refunds: { orderBy: { createdAt: 'asc' } },
      disputes: { orderBy: { createdAt: 'asc' } },
      downloads: { orderBy: { createdAt: 'asc' }, select: { createdAt: true }, take: 100 },
      keys: { orderBy: keySequence, select: { key: true, shownAt: true, voidedAt: true } },
      delays: { orderBy: { id: 'asc' } },
      addressChanges: { orderBy: { version: 'asc' } },
      drop: {
        select: {
          uniqueId: true,
          customSlug: true,
          shippingNote: true,
          shippingZones: true,
          isNumbered: true,
          keysGiven: true,
          images: { orderBy: { position: 'asc' }, take: 1 },
          digitalFile: { select: { source: true, url: true, fileName: true } },
        },
      },
    },
  })
  if (!order) return null
  const [image] = order.drop.images
  return {
    token: order.token,
    status: order.status,
    title: order.dropTitle,
    productType: order.productType,
    quantity: order.quantity,
    amountCents: order.amountCents,
    taxCents: order.taxCents,
    discount: discountOfOrder(order),
    shipping: shippingOfOrder(order),
    edition: order.drop.isNumbered ? await findEdition(db, order.id) : null,
    refundedCents: order.refundedCents,
    paidAt: order.paidAt?.toISOString() ?? null,
    createdAt: order.createdAt.toISOString(),
    reference: referenceOf(order.id),
    unitPriceCents: order.unitPriceCents,
    buyerName: order.buyerName,
    email: order.buyerEmail,
    address: toAddress(order),
    addressForm: addressFormOf(
      order,
      order.addressChanges.at(-1),
      sellerLimit !== null && order.seller.payoutsState !== 'ready',
    ),
    carrier: order.carrier,
    trackingNumber: order.trackingNumber,
    shippingNote: order.drop.shippingNote,
    promise: promiseOfOrder(order),
    delay: openDelayOf(order),
    seller: { username: order.seller.username, firstName: order.seller.firstName },
    trader: await findTrader(db, order.sellerId, order.createdAt),
    isSellerGone: order.seller.deletedAt !== null,
    drop: {
      identifier: canonicalIdentifier(order.drop),
      imageSrc: image ? imageSrc(image.key, image.widths[0] ?? image.width) : null,
    },
    keys: toKeysView(order),
    ...fileOfOrder(order, order.drop.digitalFile, order.downloads.length),
    timeline: orderTimeline({ ...order, transfer: null }, 'buyer'),
    request: requestOf(order),
    owedRefund: owedRefundOf(order),
    isSent: order.shippedAt !== null,
    isLateRefund: order.lateRefundAt !== null,
    isLost: isLostOrder(order),
    completion: completionOf(order),
  }
}
