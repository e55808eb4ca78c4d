import type { EditionView } from '@/lib/drops/edition-view'
import { dayOf } from '@/lib/drops/ship-rules'
import { imageSrc } from '@/lib/drops/view'
import { referenceOf } from '@/lib/kernel/id'
import type { ProductType } from '@/lib/kernel/product-type'
import { netCents } from '@/lib/payouts/rules'
import type { HandPaymentView } from '@/lib/payouts/view'
import type { OrderStatus } from './rules'
import {
  type Address,
  type AddressRow,
  type DelayView,
  type OrderDiscount,
  type Shipping,
  discountOfOrder,
  shippingOfOrder,
  promiseOfOrder,
  type TimelineEntry,
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

type OrderOption = { name: string; value: string }

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
    ...{ id, status, productType, isLate, isAsked, isLost, carrier, trackingNumber, quantity, buyerEmail, buyerName },
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

export type SellerTaskKind = 'dispute' | 'inquiry' | 'refund' | 'late' | 'ship'

/** Something that a seller has to do about orders. */
export type SellerTaskView = {
  kind: SellerTaskKind
  /** How many orders this task is about: one, or all orders of this kind that have no task of their own. */
  count: number
  /** The order that the task is about, or the most urgent one of several. */
  orderId: string
  title: string
  imageSrc: string | null
  buyerName: string | null
  /**
   * The time of the bank's deadline, of the refund request, or by which the parcel has to be shipped; null when it is
   * not known.
   */
  at: string | null
  /** The day of `at` in the seller's time zone. */
  day: string | null
}

/** Everything the seller sees about one order. */
export type SellerOrderDetailView = {
  id: string
  reference: string
  status: OrderStatus
  title: string
  productType: ProductType
  quantity: number
  /** The units that were not refunded. */
  unitsLeft: number
  amountCents: number
  /** What one unit cost this buyer, after the discount. */
  unitPriceCents: number
  discount: OrderDiscount | null
  shipping: Shipping | null
  edition: EditionView | null
  isEarly: boolean
  option: OrderOption | null
  run: number
  /** From where and by when the parcel is sent, in words; null without a promise. */
  promise: string | null
  /** The open question whether the buyer waits; null when there is none. */
  delay: DelayView | null
  /** Whether the seller can name a later day to ship, which is possible once for each promised day. */
  canProposeDay: boolean
  /** Whether the order waits for its parcel, and is not being refunded because it was late. */
  isToShip: boolean
  /** Whether the parcel should have been shipped by now. */
  isLate: boolean
  isLateRefund: boolean
  addressVersion: number
  isSlipOutdated: boolean
  imageSrc: string | null
  paidAt: string
  buyerName: string | null
  buyerEmail: string | null
  address: Address | null
  carrier: string | null
  trackingNumber: string | null
  money: {
    /** The platform's fee with the withheld tax. */
    platformFeeCents: number
    platformFeeBps: number
    /** The tax that the platform pays; 0 without Stripe Tax. */
    taxCents: number
    sellerPayoutCents: number
    refundedCents: number
    /** The part of the platform's fee, and of the tax, that was returned with the refunds. */
    returnedFeeCents: number
    cardFeeCents: number | null
    /** The amount that lost disputes deducted from the payout. */
    disputeTakenCents: number
    /** The amount by which fees and refunds exceed the seller's payout; the platform bears it. */
    coveredCents: number
    /** The amount that the seller keeps after fees, refunds and disputes; null until the card fee is known. */
    netCents: number | null
  }
  payout: {
    state: 'waiting' | 'sent' | 'reversed'
    /** Whether the order is disputed at the bank. It must not be shipped while it is disputed. */
    isHeld: boolean
    /** The cents that are sent again because a refund failed or a dispute was won; normally 0. */
    againCents: number
    isReady: boolean
    /** The currency in which Stripe settled the payment, if the payout waits because of it; normally null. */
    settledIn: string | null
    /** The payments that we made outside of Stripe, the oldest first; normally none. */
    handPayments: HandPaymentView[]
    /** The amount that we still have to pay by hand, because a refund failed after the first payment; normally 0. */
    dueAgainCents: number
    dueAt: string
    /** Whether the order has a promised day and is not shipped yet. */
    isPromisedParcel: boolean
    /** Until when no money is sent to the seller's connected account, because it was new (ADR 0069); normally null. */
    heldUntil: string | null
    sentAt: string | null
    /** The amount of the first transfer or payment; 0 if all of the payout was withheld, and null until it is fixed. */
    sentCents: number | null
  } | null
  /** Refunds sent to the bank, including pending ones. */
  refunds: { amountCents: number; restockUnits: number; shippingCents: number }[]
  /** The refund request that is not answered yet, with the buyer's reason; null when there is none. */
  request: { id: string; reason: string } | null
  /** The final status that the seller can set now; null when there is none. */
  completion: 'delivered' | 'done' | null
  dispute: {
    status: string
    reason: string
    amountCents: number
    dueAt: string | null
    submittedAt: string | null
    hasSnapshot: boolean
    canAnswer: boolean
    isClosed: boolean
    /** The bank's fee for the dispute; the platform pays it. */
    feeCents: number
    /** The amount that this dispute deducted from the seller's payout, if it was lost. */
    takenCents: number
  } | null
  /** The keys that this order has; empty for a drop without keys. */
  keys: SellerKeyView[]
  timeline: TimelineEntry[]
}

/**
 * A key of an order as its seller sees it (docs/product.md#keys):
 * - `given`: the buyer has not seen the key.
 * - `shown`: the buyer has seen the key.
 * - `spent`: the buyer has seen the key and was refunded.
 * - `void`: the seller has marked a spent key as no longer working.
 */
export type SellerKeyView = {
  id: number
  key: string
  state: 'given' | 'shown' | 'spent' | 'void'
  shownAt: string | null
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

/** What one line of a tracking file would change or has changed. */
export type TrackingRowView = {
  line: number
  reference: string
  title: string
  carrier: string
  trackingNumber: string
  effect: 'ship' | 'correct' | 'same' | 'error'
  problem: string | null
}

export type TrackingImportView = {
  /** Whether this is a preview and nothing was changed. */
  isDry: boolean
  ship: number
  correct: number
  same: number
  errors: number
  rows: TrackingRowView[]
}
