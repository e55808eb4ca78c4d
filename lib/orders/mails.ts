import 'server-only'
import type { MailedPhoto } from '@/lib/drops/mails'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { cutText } from '@/lib/kernel/text'
import { composeMail, generalSupport, orderSupport, type QueuedMail } from '@/lib/notifications/compose-mail'
import { discountText } from './code-messages'
import { HELP_PATH } from './rules'
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

export type LateOrder = Pick<MailedOrder, 'id' | 'token' | 'dropTitle'> & { buyerEmail: string | null }
