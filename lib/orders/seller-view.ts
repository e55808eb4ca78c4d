import type { EditionView } from '@/lib/drops/editions/edition-view'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { imageSrc } from '@/lib/drops/view'
import { referenceOf } from '@/lib/kernel/id'
import type { ProductType } from '@/lib/kernel/product-type'
import { netCents } from '@/lib/payouts/rules'
import type { OrderStatus } from './rules'
import {
  type Address,
  type AddressRow,
  type OrderDiscount,
  type Shipping,
  discountOfOrder,
  shippingOfOrder,
  promiseOfOrder,
  toAddress,
} from './view'

/** One line in the seller's list of orders. */
export type SellerOrderView = {
  id: string
  reference: string
  status: OrderStatus
  productType: ProductType
  /**
   * Whether a parcel is not shipped although its promised day has passed or, without a promise, UNPROMISED_SHIP_DAYS
   * after the payment.
   */
  isLate: boolean
  /** Whether the buyer has asked for a refund. */
  isAsked: boolean
  /** Whether the bank returned the money to the buyer. */
  isLost: boolean
  carrier: string | null
  trackingNumber: string | null
  shippedAt: string | null
  deliveredAt: string | null
  refundedCents: number
  title: string
  /** The URL of the drop's first picture in its smallest width. */
  imageSrc: string | null
  quantity: number
  /** The units that were not refunded. */
  unitsLeft: number
  amountCents: number
  /** The discount code and its amount; null without a code. */
  discount: OrderDiscount | null
  /** The surcharge for shipping; null when the price included it. */
  shipping: Shipping | null
  /** The numbers of the order's units; null unless the drop is numbered. */
  edition: EditionView | null
  /** Where the parcel ships from and by when, in words, and the day alone; both are null without a promise. */
  promise: string | null
  shipsBy: string | null
  /** Whether a follower bought it before the public start. */
  isEarly: boolean
  /** The chosen value of the drop's option, which is also part of the title; null without options. */
  option: OrderOption | null
  /** The run of the drop in which the checkout began. */
  run: number
  /** Whether the order waits for its parcel, and is not being refunded because it was late. */
  isToShip: boolean
  addressVersion: number
  /** Whether the newest printed packing slip has an earlier address. */
  isSlipOutdated: boolean
  platformFeeCents: number
  platformFeeBps: number
  sellerPayoutCents: number
  cardFeeCents: number | null
  netCents: number | null
  paidAt: string
  buyerEmail: string | null
  buyerName: string | null
  address: Address | null
}

export type OrderOption = { name: string; value: string }

/** Returns the chosen value of an order; null without options. */
export function optionOfOrder(row: Pick<SellerOrderRow, 'optionName' | 'optionValue'>): OrderOption | null {
  const { optionName: name, optionValue: value } = row
  return name === null || value === null ? null : { name, value }
}

export type SellerOrderRow = AddressRow & {
  id: string
  status: OrderStatus
  productType: ProductType
  isLate: boolean
  isAsked: boolean
  isLost: boolean
  carrier: string | null
  trackingNumber: string | null
  shippedAt: Date | null
  deliveredAt: Date | null
  refundedCents: number
  dropTitle: string
  /** The drop's first picture with its smallest width. */
  image: { key: string; width: number } | null
  quantity: number
  amountCents: number
  discountCode: string | null
  discountCents: number
  shipsTo: string | null
  shippingCents: number
  edition: EditionView | null
  shipsFrom: string | null
  shipsBy: Date | null
  lateRefundAt: Date | null
  isEarly: boolean
  optionName: string | null
  optionValue: string | null
  run: number
  /** Whether the price of all units was refunded, and at most the surcharge for shipping is left. */
  areGoodsRefunded: boolean
  unitsLeft: number
  addressVersion: number
  slipVersion: number | null
  platformFeeCents: number
  platformFeeBps: number
  sellerPayoutCents: number
  cardFeeCents: number | null
  paidAt: Date | null
  createdAt: Date
  buyerEmail: string | null
}

/** Whether the parcel of an order still has to be shipped. */
export function isToShip(
  row: Pick<SellerOrderRow, 'status' | 'productType' | 'lateRefundAt' | 'areGoodsRefunded'>,
): boolean {
  const isWaiting = row.status === 'paid' && row.productType === 'physical' && row.lateRefundAt === null
  return isWaiting && !row.areGoodsRefunded
}

/** Whether the seller printed a packing slip before the buyer changed the address. */
export function isSlipOutdated(row: Pick<SellerOrderRow, 'slipVersion' | 'addressVersion'>): boolean {
  return row.slipVersion !== null && row.slipVersion < row.addressVersion
}

/** Makes the view of a line in the seller's list of orders. All amounts are in cents. */
export function toSellerOrderView(row: SellerOrderRow): SellerOrderView {
  const { id, status, productType, isLate, isAsked, isLost, carrier, trackingNumber, refundedCents, quantity } = row
  const { amountCents, platformFeeCents, platformFeeBps, sellerPayoutCents, cardFeeCents, buyerEmail, buyerName } = row
  const money = { amountCents, refundedCents, platformFeeCents, platformFeeBps, sellerPayoutCents, cardFeeCents }
  return {
    id,
    status,
    productType,
    isLate,
    isAsked,
    isLost,
    carrier,
    trackingNumber,
    quantity,
    buyerEmail,
    buyerName,
    ...money,
    unitsLeft: row.unitsLeft,
    discount: discountOfOrder(row),
    shipping: shippingOfOrder(row),
    edition: row.edition,
    promise: promiseOfOrder(row),
    shipsBy: row.shipsBy && dayOf(row.shipsBy),
    isEarly: row.isEarly,
    option: optionOfOrder(row),
    run: row.run,
    isToShip: isToShip(row),
    addressVersion: row.addressVersion,
    isSlipOutdated: isSlipOutdated(row),
    reference: referenceOf(id),
    title: row.dropTitle,
    imageSrc: row.image ? imageSrc(row.image.key, row.image.width) : null,
    netCents: cardFeeCents === null ? null : netCents(sellerPayoutCents, cardFeeCents),
    shippedAt: row.shippedAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    paidAt: (row.paidAt ?? row.createdAt).toISOString(),
    address: toAddress(row),
  }
}

/** The cursor at the end of a page of orders, with which the next page begins. */
export function writeOrderCursor(order: Pick<SellerOrderView, 'paidAt' | 'id'>): string {
  return `${order.paidAt}~${order.id}`
}

/** Reads such a cursor from a query string. Returns undefined for the first page and for an invalid cursor. */
export function readOrderCursor(value: string | string[] | undefined): { paidAt: Date; id: string } | undefined {
  const match = typeof value === 'string' ? /^(\d{4}-[0-9T:.-]+Z)~(ord_[A-Za-z0-9]+)$/.exec(value) : null
  const paidAt = new Date(match?.[1] ?? Number.NaN)
  return match?.[2] && !Number.isNaN(paidAt.getTime()) ? { paidAt, id: match[2] } : undefined
}
