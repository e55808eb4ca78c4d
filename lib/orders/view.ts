import type { EditionView } from '@/lib/drops/editions/edition-view'
import { promiseText } from '@/lib/drops/delivery/ship-messages'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { countryName } from '@/lib/kernel/country'
import { toDecimal } from '@/lib/kernel/money'
import type { Plan } from '@/lib/kernel/plan'
import type { ProductType } from '@/lib/kernel/product-type'
import { planRules } from '@/lib/plans/rules'
import { areGoodsRefunded, type RefundedParts } from '@/lib/stock/unit-rules'
import type { TraderView } from '@/lib/traders/view'
import { keptUnits } from './dispute-rules'
import { sentRefunds } from './refund-rules'
import { DOWNLOADS_PER_ORDER, mayDownload, type OrderStatus } from './rules'

/**
 * The order of a checkout session. It has these five fields and no others, because anyone with the session id can read
 * it (docs/contract.md#calls-about-buying).
 */
export type OrderSummaryView = {
  amount: string
  platformFee: string
  platformFeePercentage: number
  sellerPayout: string
  /**
   * The plan that the fee was calculated with. An administrator without Pro pays Pro's fee, and the plan is "admin".
   */
  sellerPlan: Plan | 'admin'
}

type Money = {
  amountCents: number
  platformFeeCents: number
  platformFeeBps: number
  sellerPayoutCents: number
  sellerPlan: Plan
}

/** Makes the summary of an order's amounts: decimal strings, and the fee also as a percentage. */
export function toOrderSummaryView(order: Money): OrderSummaryView {
  return {
    amount: toDecimal(order.amountCents),
    platformFee: toDecimal(order.platformFeeCents),
    platformFeePercentage: order.platformFeeBps / 100,
    sellerPayout: toDecimal(order.sellerPayoutCents),
    sellerPlan: isAdminFee(order) ? 'admin' : order.sellerPlan,
  }
}

/** Whether the order was charged the lower fee although its seller had no plan, as only administrators are. */
const isAdminFee = ({ sellerPlan, platformFeeBps }: Money) =>
  sellerPlan === 'free' && platformFeeBps === planRules({ plan: 'pro', isAdmin: false }).feeBps

export type Address = {
  name: string
  lines: string[]
  /** The name of the country, such as "Germany". Exports use the code instead. */
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

/** A discount code, and the cents that it took off all units of an order. */
export type OrderDiscount = { code: string; cents: number }

/** The discount of an order; null for an order without a code. */
export function discountOfOrder(row: { discountCode: string | null; discountCents: number }): OrderDiscount | null {
  return row.discountCode === null ? null : { code: row.discountCode, cents: row.discountCents }
}

/** The country that an order is shipped to, and the surcharge that its buyer paid for that. */
export type Shipping = { country: string; cents: number }

/** The surcharge of an order; null when the price included shipping. */
export function shippingOfOrder(row: { shipsTo: string | null; shippingCents: number }): Shipping | null {
  return row.shipsTo === null ? null : { country: row.shipsTo, cents: row.shippingCents }
}

/** Returns where the parcel of an order ships from and by when, in words; null without a promise. */
export function promiseOfOrder(row: { shipsFrom: string | null; shipsBy: Date | null }): string | null {
  return promiseText({ shipsFrom: row.shipsFrom, shipsBy: row.shipsBy && dayOf(row.shipsBy) })
}

/** A question to the buyer of a late parcel that is not answered yet. Days look like "2026-11-30". */
export type DelayView = { missedDay: string; newDay: string; isProposed: boolean; answerBy: string }

/** The open question about an order that can still be shipped; null when there is none. */
export function openDelayOf(order: {
  status: OrderStatus
  lateRefundAt: Date | null
  quantity: number
  unitPriceCents: number
  shippingCents: number
  refunds: readonly (RefundedParts & { state: string })[]
  delays: readonly { missedDay: Date; newDay: Date; isProposed: boolean; answerBy: Date; answeredAt: Date | null }[]
}): DelayView | null {
  const open = order.delays.find(({ answeredAt }) => answeredAt === null)
  if (!open || order.status !== 'paid' || order.lateRefundAt !== null) return null
  if (areGoodsRefunded(order, order.refunds)) return null
  const { missedDay, newDay, isProposed, answerBy } = open
  return { missedDay: dayOf(missedDay), newDay: dayOf(newDay), isProposed, answerBy: answerBy.toISOString() }
}

/**
 * The initial values of the form for another address, and the time until which the newest change can be undone, which
 * is null when there is nothing to undo.
 */
export type AddressFormView = {
  values: Record<'name' | 'line1' | 'line2' | 'city' | 'state' | 'postalCode' | 'country' | 'phone', string>
  /** The countries that the address may be in; null for all countries of the platform. */
  countries: readonly string[] | null
  undoUntil: string | null
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
  /** The discount code and its amount; null without a code. */
  discount: OrderDiscount | null
  /** The surcharge for shipping; null when the price included it. */
  shipping: Shipping | null
  /** The numbers of the order's units; null unless the drop is numbered. */
  edition: EditionView | null
  refundedCents: number
  /** The tax that the amount contains according to Stripe Tax; 0 without it. */
  taxCents: number
  buyerName: string | null
  paidAt: string | null
  createdAt: string
  reference: string
  email: string | null
  address: Address | null
  /** The data of the form for another address; null when the address can no longer change. */
  addressForm: AddressFormView | null
  carrier: string | null
  trackingNumber: string | null
  shippingNote: string
  /** Where the parcel ships from and by when, in words; null without a promise. */
  promise: string | null
  /** The open question whether the buyer waits for a late parcel; null when there is none. */
  delay: DelayView | null
  seller: { username: string | null; firstName: string }
  /** What the seller stated when the order began; null when nothing was stated. */
  trader: TraderView | null
  /** Whether the seller's account is closed, so that the buyer cannot write to the seller. */
  isSellerGone: boolean
  drop: { identifier: string; imageSrc: string | null }
  /** The keys that the buyer has seen, and how many are not shown yet; null without keys and after a refund. */
  keys: { shown: string[]; hidden: number } | null
  /** The link that delivers a digital drop. It is shown only on the buyer's own page. */
  digitalUrl: string | null
  /** The name of a file that we store. Each download uses a new link. */
  file: { name: string; downloadsLeft: number } | null
  timeline: TimelineEntry[]
  request: {
    /** Whether the buyer is waiting for the seller's answer. */
    isOpen: boolean
    /** The seller's answer to the last declined request; null while a request is open or nothing can be refunded. */
    declined: { answer: string } | null
    /**
     * The time from which the buyer may request a refund; null while a request is open, when no further request is
     * allowed, or when the order cannot be refunded.
     */
    askAgainFrom: string | null
  }
  /**
   * The progress of a refund that the platform owes the buyer; null when it owes none. If the seller's account was
   * closed, the refund may wait until the seller has returned the money (`waiting`), or be given up without it
   * (`notCovered`).
   */
  owedRefund: 'pending' | 'sent' | 'failed' | 'waiting' | 'notCovered' | 'byHand' | null
  isSent: boolean
  /** Whether the order is being refunded because it was not shipped in time. */
  isLateRefund: boolean
  /** Whether the bank has permanently returned the money to the buyer. */
  isLost: boolean
  /** The final status that the buyer can confirm now; null when there is none. */
  completion: 'delivered' | 'done' | null
}

type KeyedOrder = {
  status: OrderStatus
  quantity: number
  unitPriceCents: number
  amountCents: number
  refundedCents: number
  refunds: readonly { state: string; amountCents: number }[]
  disputes: readonly { status: string; amountCents: number }[]
  keys: readonly { key: string; shownAt: Date | null; voidedAt: Date | null }[]
  drop: { keysGiven: number | null }
}

type FileOfDrop = { source: 'upload' | 'link'; url: string | null; fileName: string }

/**
 * Returns how the buyer gets the file of a digital order: by the seller's link, or as a file that we store. Both are
 * null without a file, and while the status of the order permits no download (mayDownload()).
 * @param downloads how often the file was downloaded
 */
export function fileOfOrder(
  { status }: { status: OrderStatus },
  digitalFile: FileOfDrop | null,
  downloads: number,
): Pick<BuyerOrderView, 'digitalUrl' | 'file'> {
  if (!digitalFile || !mayDownload(status)) return { digitalUrl: null, file: null }
  const { source, url, fileName: name } = digitalFile
  const downloadsLeft = Math.max(0, DOWNLOADS_PER_ORDER - downloads)
  return { digitalUrl: url, file: source === 'upload' ? { name, downloadsLeft } : null }
}

/**
 * Returns the keys that the buyer has asked to see, and how many more there are. Void keys, and keys of units whose
 * price was paid back, are left out.
 * @returns null for a drop without keys, and while the status of the order permits no download (mayDownload())
 */
export function toKeysView(order: KeyedOrder): BuyerOrderView['keys'] {
  if (order.drop.keysGiven === null || !mayDownload(order.status)) return null
  const working = order.keys.filter(({ voidedAt }) => voidedAt === null)
  const shown = working.slice(0, keptUnits(order)).flatMap(({ key, shownAt }) => (shownAt ? [key] : []))
  const waiting = keptUnits(order, sentRefunds(order.refunds)) - shown.length
  return { shown, hidden: Math.max(0, waiting) }
}

/** One event in the history of an order. */
export type TimelineEntry = { at: string; text: string; note?: string; tone?: 'good' | 'warn' | 'bad' }
