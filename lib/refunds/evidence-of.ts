import 'server-only'
import { isIP } from 'node:net'
import type Stripe from 'stripe'
import { editionText } from '@/lib/drops/editions/edition-messages'
import { shippingText } from '@/lib/drops/delivery/zone-messages'
import { policiesDated } from '@/lib/kernel/brand'
import { mediaPath } from '@/lib/kernel/media-path'
import { formatUsd } from '@/lib/kernel/money'
import { cutText, toWellFormed } from '@/lib/kernel/text'
import { discountText } from '@/lib/orders/code-messages'
import { earlyOrderTexts } from '@/lib/orders/early-messages'
import { orderTimeline } from '@/lib/orders/order-timeline'
import type { OrderRecord } from '@/lib/orders/seller-queries'
import { discountOfOrder, promiseOfOrder, shippingOfOrder, toAddress } from '@/lib/orders/view'

/** Stripe accepts at most 20,000 characters per field and 150,000 in total. */
const MAX_FIELD = 19_000

/** The evidence fields that are plain text. */
type Evidence = Record<string, string> & Stripe.DisputeUpdateParams.Evidence

/** Formats a time as evidence states it, for example `2026-11-30 09:15:00 UTC`. */
export const evidenceTime = (date: Date) => date.toISOString().replace('T', ' ').slice(0, 19) + ' UTC'

/**
 * Collects the evidence for a sale in the fields that the bank reads. It contains the drop's page, the terms, and what
 * was shipped or downloaded. The page is shown as it was at the purchase or, if no copy was kept, as it is now.
 */
export function evidenceOf(order: OrderRecord, statement: string, appUrl: string): Evidence {
  const { purchase } = order
  const address = toAddress(order)
  const fields: Evidence = {
    product_description: productOf(order, appUrl),
    customer_name: order.buyerName ?? '',
    customer_email_address: order.buyerEmail ?? '',
    // The address is "unknown" when no client address could be read, which Stripe would refuse.
    customer_purchase_ip: isIP(purchase?.ip ?? '') ? (purchase?.ip ?? '') : '',
    billing_address: '',
    shipping_address: address ? [address.name, ...address.lines, address.country].filter(Boolean).join('\n') : '',
    shipping_carrier: order.carrier ?? '',
    shipping_tracking_number: order.trackingNumber ?? '',
    shipping_date: order.shippedAt?.toISOString().slice(0, 10) ?? '',
    service_date: serviceDateOf(order)?.toISOString().slice(0, 10) ?? '',
    access_activity_log: accessesOf(order),
    refund_policy_disclosure: termsOf(order, appUrl),
    uncategorized_text: [statement, `Order updates:\n${historyOf(order)}`].filter(Boolean).join('\n\n'),
  }
  // Fields without a value are left out, because an empty field would state that there is nothing to report.
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value ? [[name, cutText(toWellFormed(String(value)), MAX_FIELD)]] : [],
    ),
  )
}

function productOf({ purchase, drop, ...order }: OrderRecord, appUrl: string): string {
  const note = purchase?.shippingNote ?? drop.shippingNote
  const promise = promiseOfOrder(order)
  const discount = discountOfOrder(order)
  const shipping = shippingOfOrder(order)
  const pictures = (purchase?.imageKeys ?? []).map((key) => appUrl + mediaPath(key))
  return [
    `${order.quantity} × ${order.dropTitle} (${order.productType}), ${formatUsd(order.amountCents)} USD.`,
    ...(order.edition ? [`Numbered edition: ${editionText(order.edition)}.`] : []),
    ...(order.isEarly ? [earlyOrderTexts.evidence] : []),
    ...(discount ? [`The buyer used a discount code: ${discountText(discount)}.`] : []),
    purchase
      ? `The page as the buyer saw it on ${evidenceTime(purchase.createdAt)}, before paying:`
      : 'The page as it is now (no copy of that time was kept):',
    purchase?.description ?? drop.description,
    note ? `Shipping: ${note}` : '',
    shipping ? `The buyer chose and paid: ${shippingText(shipping.country, shipping.cents)}.` : '',
    promise ? `The page promised: ${promise}` : '',
    pictures.length > 0 ? `Photos on the page: ${pictures.length}` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

function serviceDateOf(order: OrderRecord): Date | null {
  if (order.productType === 'service') return order.deliveredAt
  const accesses = [
    ...order.downloads.map(({ createdAt }) => createdAt),
    ...order.keys.flatMap((key) => key.shownAt ?? []),
  ]
  return accesses.sort((one, two) => one.getTime() - two.getTime())[0] ?? null
}

function termsOf({ purchase }: OrderRecord, appUrl: string): string {
  return [
    `The Terms of Service dated ${purchase?.termsDate ?? policiesDated.iso} apply to this sale: ${appUrl}/terms-of-service.`,
    'The buyer can ask for a refund on the order page at any time. The receipt has the link to that page. The seller decides and may refund all or part of the order.',
  ].join('\n')
}

/** Lists the downloads and the first view of each key, without the key itself. */
function accessesOf({ downloads, keys, drop }: OrderRecord): string {
  const name = drop.digitalFile?.fileName
  const seen = keys.flatMap(({ shownAt, shownIp, shownAgent }, index) =>
    shownAt
      ? [`${evidenceTime(shownAt)}  key ${index + 1} of ${keys.length} shown  from ${shownIp}  ${shownAgent}`]
      : [],
  )
  const fetched = downloads.map(
    ({ createdAt, ip, userAgent }) => `${evidenceTime(createdAt)}  ${name ?? 'file'}  from ${ip}  ${userAgent}`,
  )
  return [...seen, ...fetched].sort().join('\n')
}

function historyOf(order: OrderRecord): string {
  return orderTimeline({ ...order, transfer: null }, 'bank')
    .map(({ at, text, note }) => `${evidenceTime(new Date(at))}  ${text}${note ? `: ${note}` : ''}`)
    .join('\n')
}
