import 'server-only'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { discountText } from './messages'
import { HELP_PATH, LATE_AFTER_DAYS } from './rules'
import { discountOfOrder } from './view'

export type MailedOrder = {
  id: string
  token: string
  dropTitle: string
  quantity: number
  amountCents: number
  discountCode: string | null
  discountCents: number
  platformFeeCents: number
  platformFeeBps: number
  sellerPayoutCents: number
  productType: ProductType
  seller: { username: string | null }
}

const whatHappensNext = {
  physical: "The seller is packing your order. We'll email you when it ships.",
  digital: 'Your download is ready on your order page.',
  service: 'The seller will email you to arrange the details.',
} as const

/** The end of a mail to a buyer: links to the order and to the answers to buyers' questions. */
export function orderLink({ token }: Pick<MailedOrder, 'token'>, appUrl: string) {
  return { button: { label: 'View your order', url: `${appUrl}/o/${token}` }, helpUrl: appUrl + HELP_PATH }
}

/** The line about the discount code of an order; none without one. */
function discountFact(order: MailedOrder): [string, string][] {
  const discount = discountOfOrder(order)
  return discount ? [['Discount', discountText(discount)]] : []
}

/** Sent once per order, however often the webhook is delivered. */
export function buyerReceipt(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  return composeMail(email, `receipt:${order.id}`, {
    subject: `Your order: ${order.dropTitle}`,
    preview: `${formatUsd(order.amountCents)} paid. Keep this email: it has the link to your order.`,
    heading: 'Thanks for your order',
    paragraphs: [
      `You bought ${order.dropTitle} from @${order.seller.username ?? ''}.`,
      whatHappensNext[order.productType],
    ],
    facts: [
      ['Order', referenceOf(order.id)],
      ['Quantity', String(order.quantity)],
      ...discountFact(order),
      ['Total paid', `${formatUsd(order.amountCents)} USD`],
    ],
    ...orderLink(order, appUrl),
    footer: 'Anyone with this link can open your order, so keep it to yourself.',
  })
}

export function sellerSaleNotice(
  order: MailedOrder,
  seller: { email: string; firstName: string },
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `sale:${order.id}`, {
    subject: `Sold: ${order.dropTitle}`,
    preview: `You sold ${order.quantity} for ${formatUsd(order.amountCents)}.`,
    heading: `You made a sale, ${seller.firstName}`,
    paragraphs: [`You just sold ${order.quantity} × ${order.dropTitle}.`],
    facts: [
      ...discountFact(order),
      ['Amount', formatUsd(order.amountCents)],
      [`Platform fee (${order.platformFeeBps / 100}%)`, `−${formatUsd(order.platformFeeCents)}`],
      ['Payout before card fee', formatUsd(order.sellerPayoutCents)],
    ],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

type ShippedFacts = MailedOrder & { carrier: string; trackingNumber: string }

export function shippedNotice(order: ShippedFacts, email: string, appUrl: string): QueuedMail {
  const tracking = [order.carrier, order.trackingNumber].filter(Boolean).join(' ')
  return composeMail(email, `shipped:${order.id}`, {
    subject: `Shipped: ${order.dropTitle}`,
    preview: 'Your order is on its way.',
    heading: 'Your order is on its way',
    paragraphs: [`@${order.seller.username ?? ''} shipped ${order.dropTitle}.`],
    ...(tracking ? { facts: [['Tracking', tracking]] } : {}),
    ...orderLink(order, appUrl),
  })
}

/** The seller marked the order as delivered. The buyer is notified so that they can object if it has not arrived. */
export function deliveredNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  const isParcel = order.productType === 'physical'
  return composeMail(email, `delivered:${order.id}`, {
    subject: `${isParcel ? 'Delivered' : 'Completed'}: ${order.dropTitle}`,
    preview: isParcel ? 'The seller marked your order as delivered.' : 'The seller marked your order as complete.',
    heading: isParcel ? 'Your order should be with you' : 'Your order should be complete',
    paragraphs: [
      `@${order.seller.username ?? ''} marked ${order.dropTitle} as ${isParcel ? 'delivered' : 'complete'}.`,
      'Not right? Message the seller or request a refund on your order page.',
    ],
    ...orderLink(order, appUrl),
  })
}

/** One email lists all orders that have become late. A seller gets at most one a day. */
export function lateShippingNudge(
  seller: { id: number; email: string; firstName: string },
  late: readonly { id: string; dropTitle: string; shipName: string | null }[],
  day: string,
  appUrl: string,
): QueuedMail {
  const [first] = late
  const many = late.length > 1
  return composeMail(seller.email, `late-shipping:${seller.id}:${day}:${first?.id ?? ''}`, {
    subject: many ? `${late.length} orders are waiting to ship` : `Waiting to ship: ${first?.dropTitle ?? ''}`,
    preview: 'Buyers who hear nothing may ask their bank for the money back. Shipped already? Mark it now.',
    heading: many
      ? `${late.length} buyers are waiting, ${seller.firstName}`
      : `A buyer is waiting, ${seller.firstName}`,
    paragraphs: [
      `${many ? 'These orders were' : 'This order was'} paid more than ${LATE_AFTER_DAYS} days ago and ${many ? "aren't" : "isn't"} marked as shipped yet.`,
      late
        .slice(0, 20)
        .map(
          (order) => `${referenceOf(order.id)} · ${order.dropTitle}${order.shipName ? `, for ${order.shipName}` : ''}`,
        )
        .join('\n') + (late.length > 20 ? `\nand ${late.length - 20} more` : ''),
      "Mark them as shipped to update your buyers and release your payout. We won't remind you about these orders again.",
    ],
    button: { label: 'Orders to ship', url: `${appUrl}/orders?show=ship` },
  })
}

export type FromBuyer = MailedOrder & {
  seller: { username: string | null; email: string }
  buyerName: string | null
  buyerEmail: string | null
}

export function buyerMessage(order: FromBuyer, sent: { id: string; text: string }, appUrl: string): QueuedMail {
  return composeMail(order.seller.email, `message:${sent.id}`, {
    subject: `About ${order.dropTitle} (${referenceOf(order.id)})`,
    preview: sent.text.slice(0, 120),
    heading: 'A message from your buyer',
    paragraphs: [`${order.buyerName ?? 'Your buyer'} wrote:`, sent.text],
    ...(order.buyerEmail ? { replyTo: order.buyerEmail } : {}),
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

export function orderLinks(
  orders: { token: string; dropTitle: string }[],
  email: string,
  id: string,
  appUrl: string,
): QueuedMail {
  return composeMail(email, `find-order:${id}`, {
    subject: 'Your orders',
    preview: 'Here are the links you asked for.',
    heading: 'Your orders',
    paragraphs: orders.map(({ token, dropTitle }) => `${dropTitle}\n${appUrl}/o/${token}`),
    footer: "Anyone with these links can open your orders. Didn't ask for them? You can ignore this email.",
  })
}

/** A refund that the platform owes has failed: an administrator has to pay the buyer in another way. */
export function refundOwedNotice(
  order: { id: string; dropTitle: string },
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `refund-owed:${refund.id}:${email}`, {
    subject: `A refund failed and is still owed: ${order.dropTitle}`,
    preview: `The platform owes a buyer ${amount}.`,
    heading: 'A refund of the platform failed',
    paragraphs: [
      `${amount} for ${order.dropTitle} could not be refunded to the card, because the bank or Stripe did not accept it. The money is on the platform's balance at Stripe.`,
      'Unless the payment is disputed, in which case the bank decides, please pay the buyer in another way. The buyer was asked to write to the support address.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'See the order', url: `${appUrl}/admin/orders?show=all&q=${order.id}` },
  })
}
