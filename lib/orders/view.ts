import { countryName } from '@/lib/kernel/country'
import { toDecimal } from '@/lib/kernel/money'
import type { Plan } from '@/lib/kernel/plan'
import type { ProductType } from '@/lib/kernel/product-type'
import type { OrderStatus } from './rules'

/**
 * The order that a checkout session leads to: these five fields and nothing else, because anyone with the session id can
 * read it (docs/contract.md#calls-about-buying).
 */
export type OrderSummaryView = {
  amount: string
  platformFee: string
  platformFeePercentage: number
  sellerPayout: string
  sellerPlan: Plan
}

type Money = {
  amountCents: number
  platformFeeCents: number
  platformFeeBps: number
  sellerPayoutCents: number
  sellerPlan: Plan
}

export function toOrderSummaryView(order: Money): OrderSummaryView {
  return {
    amount: toDecimal(order.amountCents),
    platformFee: toDecimal(order.platformFeeCents),
    platformFeePercentage: order.platformFeeBps / 100,
    sellerPayout: toDecimal(order.sellerPayoutCents),
    sellerPlan: order.sellerPlan,
  }
}

export type Address = {
  name: string
  lines: string[]
  /** The name of the country, such as "Germany"; exports use the code instead. */
  country: string | null
  countryCode: string | null
  phone: string | null
}

export type AddressRow = {
  buyerName: string | null
  buyerPhone: string | null
  shipName: string | null
  shipLine1: string | null
  shipLine2: string | null
  shipCity: string | null
  shipState: string | null
  shipPostalCode: string | null
  shipCountry: string | null
}

/** The address as written on a parcel; null when nothing is shipped. */
export function toAddress(row: AddressRow): Address | null {
  if (!row.shipLine1) return null
  const city = [row.shipCity, row.shipState, row.shipPostalCode].filter(Boolean).join(', ')
  const lines = [row.shipLine1, row.shipLine2, city].filter((line): line is string => Boolean(line))
  const name = row.shipName ?? row.buyerName ?? ''
  const countryCode = row.shipCountry || null
  return { name, lines, country: countryCode && countryName(countryCode), countryCode, phone: row.buyerPhone }
}

/** What a discount code took off all units of an order, in cents. */
export type Discount = { code: string; cents: number }

/** The discount of an order as its row has it; null without one. */
export function discountOfOrder(row: { discountCode: string | null; discountCents: number }): Discount | null {
  return row.discountCode === null ? null : { code: row.discountCode, cents: row.discountCents }
}

/** What the buyer's order page shows. */
export type BuyerOrderView = {
  token: string
  status: OrderStatus
  title: string
  productType: ProductType
  quantity: number
  unitPriceCents: number
  amountCents: number
  /** The discount code and what it took off; null without one. */
  discount: Discount | null
  refundedCents: number
  buyerName: string | null
  paidAt: string | null
  createdAt: string
  reference: string
  email: string | null
  address: Address | null
  carrier: string | null
  trackingNumber: string | null
  shippingNote: string
  seller: { username: string | null; firstName: string }
  /** The seller's account is closed, so there is nobody to write to. */
  isSellerGone: boolean
  drop: { identifier: string; imageSrc: string | null }
  /** The link that delivers a digital drop. It is shown only on the buyer's own page. */
  digitalUrl: string | null
  /** The name of a file that we store; each download uses a new link. */
  file: { name: string; downloadsLeft: number } | null
  timeline: TimelineEntry[]
  request: {
    /** The buyer is waiting for the seller's answer. */
    isOpen: boolean
    /** The seller's last answer was a refusal, with its reason. */
    declined: { answer: string } | null
    /**
     * From when the buyer may ask for a refund; null when no request is possible any more, or there is nothing to
     * refund.
     */
    askAgainFrom: string | null
  }
  /** The progress of a refund that the platform owes the buyer; null when it owes none. */
  owedRefund: 'pending' | 'sent' | 'failed' | null
  isSent: boolean
  /** The bank has returned the money to the buyer for good. */
  isLost: boolean
  /** What the buyer can confirm now. */
  completion: 'delivered' | 'done' | null
}

/** One thing that happened to an order. */
export type TimelineEntry = { at: string; text: string; note?: string; tone?: 'good' | 'warn' | 'bad' }
