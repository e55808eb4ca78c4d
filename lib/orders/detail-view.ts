import type { EditionView } from '@/lib/drops/editions/edition-view'
import type { ProductType } from '@/lib/kernel/product-type'
import type { HandPaymentView } from '@/lib/payouts/view'
import type { OrderStatus } from './rules'
import type { OrderOption } from './seller-view'
import type { Address, DelayView, OrderDiscount, Shipping, TimelineEntry } from './view'

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
