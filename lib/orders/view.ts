import { countryName } from '@/lib/kernel/country'
import { toDecimal } from '@/lib/kernel/money'
import type { Plan } from '@/lib/kernel/plan'
import type { ProductType } from '@/lib/kernel/product-type'
import type { OrderStatus } from './rules'

/** The order that a checkout session leads to: these five fields and nothing else, because anyone with the session id can read it (docs/contract.md#calls-about-buying). */
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
  /** "Germany"; the code is what files carry. */
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

/** The address as it is written on a parcel; null when nothing is sent. */
export function toAddress(row: AddressRow): Address | null {
  if (!row.shipLine1) return null
  const city = [row.shipCity, row.shipState, row.shipPostalCode].filter(Boolean).join(', ')
  const lines = [row.shipLine1, row.shipLine2, city].filter((line): line is string => Boolean(line))
  const name = row.shipName ?? row.buyerName ?? ''
  const countryCode = row.shipCountry || null
  return { name, lines, country: countryCode && countryName(countryCode), countryCode, phone: row.buyerPhone }
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
  /** Their account is closed: there is nobody to write to. */
  isSellerGone: boolean
  drop: { identifier: string; imageSrc: string | null }
  /** The link a digital drop is delivered by; only ever on the buyer's own page. */
  digitalUrl: string | null
  /** A file we keep, by name; it leaves through a link of its own for every download. */
  file: { name: string; downloadsLeft: number } | null
  timeline: TimelineEntry[]
  request: {
    /** The buyer waits for the seller's answer. */
    isOpen: boolean
    /** The seller's last answer was no, and why. */
    declined: { answer: string } | null
    /** From when the buyer may ask, the first time or again; null: not any more, or there is nothing to ask for. */
    askAgainFrom: string | null
  }
  isSent: boolean
  /** The bank gave the money back: its last word. */
  isLost: boolean
  /** What the buyer can confirm now. */
  completion: 'delivered' | 'done' | null
}

/** One thing that happened to an order. */
export type TimelineEntry = { at: string; text: string; note?: string; tone?: 'good' | 'warn' | 'bad' }
