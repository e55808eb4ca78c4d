import 'server-only'
import { type MailedPhoto, photoOfMail } from '@/lib/drops/mails'
import { openTexts } from '@/lib/drops/open-messages'
import { shippingLabel } from '@/lib/drops/zone-messages'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { cutText, endSentence } from '@/lib/kernel/text'
import { composeMail, generalSupport, orderSupport, type QueuedMail } from '@/lib/notifications/compose-mail'
import { MAIL_BLANK } from '@/lib/notifications/queue-mail'
import { discountText } from './code-messages'
import { HELP_PATH, UNPROMISED_SHIP_DAYS } from './rules'
import { type TaxText, taxTexts } from '@/lib/traders/messages'
import { discountOfOrder, promiseOfOrder } from './view'

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
  /** The tax that is withheld as a part of the platform's fee; 0 or missing without Stripe Tax. */
  taxCents?: number
  productType: ProductType
  /** Whether each unit comes with a key. */
  hasKeys?: boolean
  /** What the drop page promised about the parcel; null without a promise. */
  shipsFrom?: string | null
  shipsBy?: Date | null
  /** The country that the buyer chose, and the surcharge for it; null when the price includes shipping. */
  shipsTo?: string | null
  shippingCents?: number
  /** Whether the drop is numbered. The units get their numbers when the order is paid. */
  isNumbered?: boolean
  /** Whether the drop is an open edition, so that the total of its numbers is known only at the end. */
  isOpenEdition?: boolean
  seller: { username: string | null }
  /** The first photo of the drop, for the emails that show it. */
  photo?: MailedPhoto | null
}

/** Names the seller in an email to a buyer. A closed account has no username. */
export function sellerInMail({ username }: MailedOrder['seller'], isFirstWord = false): string {
  return username === null ? `${isFirstWord ? 'The' : 'the'} seller` : `@${username}`
}

const whatHappensNext = {
  physical: "The seller is packing your order. We'll email you when it ships.",
  digital: 'Your download is ready on your order page.',
  service: 'The seller will email you to arrange the details.',
} as const

/** Says where the keys of an order are. The button on the order page has the same words. */
const keysNext = (quantity: number) =>
  quantity === 1
    ? "Your key is on your order page. Tap Show my key there. We don't send keys by email."
    : "Your keys are on your order page. Tap Show my keys there. We don't send keys by email."

/** Returns the end of an email to a buyer: links to the order and to the help page, and whom to ask. */
export function orderLink({ token }: Pick<MailedOrder, 'token'>, appUrl: string) {
  return {
    button: { label: 'View your order', url: `${appUrl}/o/${token}` },
    support: orderSupport,
    helpUrl: appUrl + HELP_PATH,
  }
}

/** Returns the end of an email that the buyer should discuss with the seller. */
export function contactLink({ token }: Pick<MailedOrder, 'token'>, appUrl: string) {
  return { button: { label: 'Contact the seller', url: `${appUrl}/o/${token}#help` }, support: orderSupport }
}

/** Returns the line about the discount code of an order, or an empty list for an order without a code. */
export function discountFact(order: Pick<MailedOrder, 'discountCode' | 'discountCents'>): [string, string][] {
  const discount = discountOfOrder(order)
  return discount ? [['Discount', discountText(discount)]] : []
}

/** Returns the line about the surcharge for shipping, or an empty list when the price includes it. */
export function surchargeFact({
  shipsTo = null,
  shippingCents = 0,
}: Pick<MailedOrder, 'shipsTo' | 'shippingCents'>): [string, string][] {
  return shipsTo === null ? [] : [[shippingLabel(shipsTo), shippingCents === 0 ? 'Included' : formatUsd(shippingCents)]]
}

/** Returns the line about the tax in the amount, or an empty list for an order without Stripe Tax. */
function taxFact({ taxCents = 0 }: MailedOrder, { label, value }: TaxText): [string, string][] {
  return taxCents === 0 ? [] : [[label, value(taxCents)]]
}

/** Returns the line with the numbers of a numbered order. The statement that sells the units replaces MAIL_BLANK. */
function numberFact({ isNumbered, isOpenEdition, quantity }: MailedOrder): [string, string][] {
  if (!isNumbered) return []
  return [
    [quantity > 1 ? 'Your numbers' : 'Your number', `No. ${MAIL_BLANK}`],
    ...(isOpenEdition ? ([['Edition', openTexts.numberNote]] satisfies [string, string][]) : []),
  ]
}

/** Returns the line that says where a parcel ships from and by when, or an empty list without such a promise. */
function promiseFact({ shipsFrom = null, shipsBy = null }: MailedOrder): [string, string][] {
  const text = promiseOfOrder({ shipsFrom, shipsBy })
  return text ? [['Shipping', text]] : []
}

/**
 * Sent once per order, no matter how many times the webhook is delivered.
 * @param address the address of a parcel on one line, so that the buyer notices a wrong one in time.
 */
export function buyerReceipt(
  order: MailedOrder,
  email: string,
  appUrl: string,
  address: string | null = null,
): QueuedMail {
  return composeMail(email, `receipt:${order.id}`, {
    subject: `Your order: ${order.dropTitle}`,
    preview: `You paid ${formatUsd(order.amountCents)}. Keep this email for the link to your order.`,
    heading: 'Thanks for your order',
    paragraphs: [
      `You bought ${order.dropTitle} from ${sellerInMail(order.seller)}.`,
      order.hasKeys ? keysNext(order.quantity) : whatHappensNext[order.productType],
    ],
    facts: [
      ['Order', referenceOf(order.id)],
      ['Quantity', String(order.quantity)],
      ...numberFact(order),
      ...discountFact(order),
      ...surchargeFact(order),
      ...promiseFact(order),
      ...(address === null ? [] : ([['Ships to', address]] satisfies [string, string][])),
      ['Total paid', `${formatUsd(order.amountCents)} USD`],
      ...taxFact(order, taxTexts.included),
    ],
    ...photoOfMail(order.photo, order.dropTitle, appUrl),
    ...orderLink(order, appUrl),
    footer: 'Anyone with this link can open your order, so keep it to yourself.',
  })
}

/** Notifies the seller of a paid order, with what the sale brings before the card fee, which is not known yet. */
export function sellerSaleNotice(
  order: MailedOrder,
  seller: { email: string; firstName: string },
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `sale:${order.id}`, {
    subject: `Sold: ${order.dropTitle}`,
    preview: `You sold ${order.quantity} for ${formatUsd(order.amountCents)}.`,
    heading: `You made a sale, ${seller.firstName}`,
    paragraphs: [endSentence(`You just sold ${order.quantity} × ${order.dropTitle}`)],
    facts: [
      ...numberFact(order).map(([, numbers]): [string, string] => ['Edition', numbers]),
      ...discountFact(order),
      ...surchargeFact(order),
      ...promiseFact(order),
      ['Amount', formatUsd(order.amountCents)],
      [
        `Platform fee (${order.platformFeeBps / 100}%)`,
        `−${formatUsd(order.platformFeeCents - (order.taxCents ?? 0))}`,
      ],
      ...taxFact(order, taxTexts.withheld),
      ['Payout before card fee', formatUsd(order.sellerPayoutCents)],
    ],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

type ShippedFacts = MailedOrder & { carrier: string; trackingNumber: string }

/**
 * Notifies the buyer that the parcel is on its way. The line about tracking is missing when the seller named neither a
 * carrier nor a number.
 */
export function shippedNotice(order: ShippedFacts, email: string, appUrl: string): QueuedMail {
  const tracking = [order.carrier, order.trackingNumber].filter(Boolean).join(' ')
  return composeMail(email, `shipped:${order.id}`, {
    subject: `Shipped: ${order.dropTitle}`,
    preview: 'Your order is on its way.',
    heading: 'Your order is on its way',
    paragraphs: [endSentence(`${sellerInMail(order.seller, true)} shipped ${order.dropTitle}`)],
    ...(tracking ? { facts: [['Tracking', tracking]] } : {}),
    ...photoOfMail(order.photo, order.dropTitle, appUrl),
    ...orderLink(order, appUrl),
  })
}

/** Sent when the seller marks the order as delivered, so that the buyer can object if the order has not arrived. */
export function deliveredNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  const isParcel = order.productType === 'physical'
  return composeMail(email, `delivered:${order.id}`, {
    subject: `${isParcel ? 'Delivered' : 'Completed'}: ${order.dropTitle}`,
    preview: isParcel ? 'The seller marked your order as delivered.' : 'The seller marked your order as complete.',
    heading: isParcel ? 'Your order should have arrived' : 'Your order should be complete',
    paragraphs: [
      `${sellerInMail(order.seller, true)} marked ${order.dropTitle} as ${isParcel ? 'delivered' : 'complete'}.`,
      'Not right? Message the seller or request a refund on your order page.',
    ],
    ...orderLink(order, appUrl),
  })
}

/**
 * Lists the orders that have become late since the last such email, at most 20 by name. `day` is part of the email's
 * key.
 */
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
    preview: 'Buyers who hear nothing may ask their bank for a refund. Already shipped? Mark the order as shipped now.',
    heading: many
      ? `${late.length} buyers are waiting, ${seller.firstName}`
      : `A buyer is waiting, ${seller.firstName}`,
    paragraphs: [
      `${many ? 'These orders were' : 'This order was'} paid more than ${UNPROMISED_SHIP_DAYS} days ago and ${many ? "aren't" : "isn't"} marked as shipped yet.`,
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

/** Passes a buyer's message on to the seller. A reply goes straight to the buyer. */
export function buyerMessage(order: FromBuyer, sent: { id: string; text: string }, appUrl: string): QueuedMail {
  return composeMail(order.seller.email, `message:${sent.id}`, {
    subject: `About ${order.dropTitle} (${referenceOf(order.id)})`,
    preview: cutText(sent.text, 120),
    heading: 'A message from your buyer',
    paragraphs: [`${order.buyerName ?? 'Your buyer'} wrote:`, sent.text],
    ...(order.buyerEmail ? { replyTo: order.buyerEmail } : {}),
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

/** Sends a buyer the links of the orders that were found for an email address. `id` names the request. */
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
    support: generalSupport,
    footer: "Anyone with these links can open your orders. Didn't ask for them? You can ignore this email.",
  })
}

/** Sent to an administrator when a refund that the platform owes has failed and must be paid in another way. */
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
    heading: 'A platform refund failed',
    paragraphs: [
      `The bank or Stripe declined the refund of ${amount} for ${order.dropTitle}. The money is on the platform's balance at Stripe.`,
      'Please pay the buyer another way, unless the payment is disputed. Then the bank decides. We asked the buyer to write to the support address.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/admin/orders?show=all&q=${order.id}` },
  })
}
