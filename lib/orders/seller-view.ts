import { imageSrc } from '@/lib/drops/view'
import { referenceOf } from '@/lib/kernel/id'
import type { ProductType } from '@/lib/kernel/product-type'
import { netCents } from '@/lib/payouts/rules'
import type { OrderStatus } from './rules'
import { type Address, type AddressRow, type Discount, discountOfOrder, type TimelineEntry, toAddress } from './view'

/** One line in the seller's list of orders. */
export type SellerOrderView = {
  id: string
  reference: string
  status: OrderStatus
  productType: ProductType
  /** Paid days ago and still not shipped. */
  isLate: boolean
  /** The buyer has asked for a refund. */
  isAsked: boolean
  /** The bank returned the money to the buyer. */
  isLost: boolean
  carrier: string | null
  trackingNumber: string | null
  shippedAt: string | null
  deliveredAt: string | null
  refundedCents: number
  title: string
  /** The drop's first picture, small. */
  imageSrc: string | null
  quantity: number
  amountCents: number
  /** The discount code and what it took off; null without one. */
  discount: Discount | null
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
  platformFeeCents: number
  platformFeeBps: number
  sellerPayoutCents: number
  cardFeeCents: number | null
  paidAt: Date | null
  createdAt: Date
  buyerEmail: string | null
}

export function toSellerOrderView(row: SellerOrderRow): SellerOrderView {
  const { id, status, productType, isLate, isAsked, isLost, carrier, trackingNumber, refundedCents, quantity } = row
  const { amountCents, platformFeeCents, platformFeeBps, sellerPayoutCents, cardFeeCents, buyerEmail, buyerName } = row
  const money = { amountCents, refundedCents, platformFeeCents, platformFeeBps, sellerPayoutCents, cardFeeCents }
  return {
    ...{ id, status, productType, isLate, isAsked, isLost, carrier, trackingNumber, quantity, buyerEmail, buyerName },
    ...money,
    discount: discountOfOrder(row),
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
  /** How many orders it is about: one, or all of this kind that have no task of their own. */
  count: number
  /** The order, or the most urgent of them. */
  orderId: string
  title: string
  imageSrc: string | null
  buyerName: string | null
  /** The bank's deadline, when the refund was requested, or when the parcel has to be shipped; null when none is known. */
  at: string | null
  /** The same as a day in the seller's time zone. */
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
  amountCents: number
  /** What one unit cost this buyer, after the discount. */
  unitPriceCents: number
  discount: Discount | null
  imageSrc: string | null
  paidAt: string
  buyerName: string | null
  buyerEmail: string | null
  address: Address | null
  carrier: string | null
  trackingNumber: string | null
  money: {
    platformFeeCents: number
    platformFeeBps: number
    sellerPayoutCents: number
    refundedCents: number
    /** The part of the platform's fee that was returned with the refunds. */
    returnedFeeCents: number
    cardFeeCents: number | null
    /** What a lost dispute took from the payout. */
    disputeTakenCents: number
    /** The amount by which fees and refunds exceed the seller's payout; the platform bears it. */
    coveredCents: number
    /** What the seller keeps after fees and refunds; null until the card fee is known. */
    netCents: number | null
  }
  payout: {
    state: 'waiting' | 'sent' | 'reversed'
    /** The order is disputed at the bank: it must not be shipped meanwhile. */
    isHeld: boolean
    isReady: boolean
    dueAt: string
    sentAt: string | null
  } | null
  /** Refunds sent to the bank, including pending ones. */
  refunds: { amountCents: number; restockUnits: number }[]
  /** The buyer's reason in a refund request that is not answered yet. */
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
    /** How much of the seller's payout the dispute took. */
    takenCents: number
  } | null
  timeline: TimelineEntry[]
}

/** The cursor at the end of a page of orders, with which the next page begins. */
export function writeOrderCursor(order: Pick<SellerOrderView, 'paidAt' | 'id'>): string {
  return `${order.paidAt}~${order.id}`
}

/** @returns undefined for the first page and for an invalid cursor. */
export function readOrderCursor(value: string | string[] | undefined): { paidAt: Date; id: string } | undefined {
  const match = typeof value === 'string' ? /^(\d{4}-[0-9T:.-]+Z)~(ord_[A-Za-z0-9]+)$/.exec(value) : null
  const paidAt = new Date(match?.[1] ?? Number.NaN)
  return match?.[2] && !Number.isNaN(paidAt.getTime()) ? { paidAt, id: match[2] } : undefined
}

/** What one line of a tracking file would change, or has changed. */
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
  /** This is a preview; nothing was changed. */
  isDry: boolean
  ship: number
  correct: number
  same: number
  errors: number
  rows: TrackingRowView[]
}
