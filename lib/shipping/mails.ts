import 'server-only'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { referenceOf } from '@/lib/kernel/id'
import { formatDate, formatMoment } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { timeToAnswer } from './rules'
import { orderLink, sellerInMail, type LateOrder, type MailedOrder } from '@/lib/orders/mails'
import { photoOfMail } from '@/lib/drops/mails'
import { endSentence } from '@/lib/kernel/text'
import { UNPROMISED_SHIP_DAYS } from '@/lib/orders/rules'

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

const dayText = (day: Date) => formatDate(dayOf(day))

type Delay = { missedDay: Date; newDay: Date; answerBy: Date; isProposed: boolean }
type Seller = { email: string; firstName: string; username: string | null }

/**
 * Asks the buyer of a parcel that is late, or that will be, whether to wait. A new email is sent when the seller names
 * another day, or the same day after the refund of the late order has failed, because the time to answer has changed.
 */
export function delayQuestion(
  order: LateOrder,
  seller: Seller,
  delay: Delay & { askedAt: Date },
  appUrl: string,
): QueuedMail {
  const { missedDay, newDay, askedAt, answerBy } = delay
  const who = sellerInMail(seller, true)
  return composeMail(
    order.buyerEmail ?? '',
    `delay:${order.id}:${dayOf(missedDay)}:${dayOf(newDay)}:${answerBy.getTime()}`,
    {
      subject: `${delay.isProposed ? 'A new shipping date' : 'Your order is late'}: ${order.dropTitle}`,
      preview: 'You can wait or get a full refund.',
      heading: 'Do you want to wait?',
      paragraphs: [
        delay.isProposed
          ? `${who} promised to ship ${order.dropTitle} by ${dayText(missedDay)}, and now asks you to wait until ${dayText(newDay)}.`
          : `${who} promised to ship ${order.dropTitle} by ${dayText(missedDay)}, and hasn't marked it as shipped.`,
        `On your order page, choose whether to wait until ${dayText(newDay)} or get a full refund. If you don't answer within ${timeToAnswer(answerBy, askedAt)}, we'll refund you. The page shows the exact time.`,
        "If your order ships in the meantime, there's no refund, and you don't need to do anything.",
      ],
      ...orderLink(order, appUrl),
    },
  )
}

/** Notifies the seller that the buyer of a late parcel was asked. */
export function delayNotice(
  order: LateOrder,
  seller: Seller & { timezone: string },
  delay: Delay,
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `delay-seller:${order.id}:${dayOf(delay.missedDay)}`, {
    subject: `Late: ${order.dropTitle}`,
    preview: 'We asked whether your buyer wants to wait. Ship the order now, or name a new day.',
    heading: `An order is late, ${seller.firstName}`,
    paragraphs: [
      `You promised to ship ${order.dropTitle} by ${dayText(delay.missedDay)}. We asked your buyer to choose between waiting until ${dayText(delay.newDay)} and a full refund. Without an answer by ${formatMoment(delay.answerBy, seller.timezone)}, we'll refund the order.`,
      "Already shipped? Mark the order as shipped now, and we won't refund anything. Need another day? You can name a new day on the order page, but only once.",
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

/** Notifies the seller that the buyer agreed to wait. */
export function waitNotice(order: LateOrder, seller: Seller, delay: Delay, appUrl: string): QueuedMail {
  return composeMail(seller.email, `delay-wait:${order.id}:${dayOf(delay.missedDay)}`, {
    subject: `Your buyer will wait: ${order.dropTitle}`,
    preview: `Please ship by ${dayText(delay.newDay)}.`,
    heading: 'Your buyer agreed to wait',
    paragraphs: [
      `The buyer of ${order.dropTitle} will wait until ${dayText(delay.newDay)}. If you haven't shipped by then, we'll ask again.`,
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

/** Lists the orders that a seller has promised to ship soon. A seller gets at most one such email in 20 hours. */
export function shipSoonNotice(
  seller: Seller & { id: number },
  due: readonly { id: string; dropTitle: string; shipsBy: Date | null }[],
  day: string,
  appUrl: string,
): QueuedMail {
  const [first] = due
  const many = due.length > 1
  return composeMail(seller.email, `ship-soon:${seller.id}:${day}:${first?.id ?? ''}`, {
    subject: many ? `${due.length} orders are due to ship soon` : `Ship soon: ${first?.dropTitle ?? ''}`,
    preview: 'We ask buyers of late orders whether they want a refund.',
    heading: many ? `${due.length} orders are due to ship soon` : 'An order is due to ship soon',
    paragraphs: [
      due
        .slice(0, 20)
        .map(
          ({ id, dropTitle, shipsBy }) =>
            `${referenceOf(id)} · ${dropTitle}${shipsBy ? `, by ${dayText(shipsBy)}` : ''}`,
        )
        .join('\n') + (due.length > 20 ? `\nand ${due.length - 20} more` : ''),
      "Please mark each order as shipped by its day. Otherwise we'll ask the buyer to choose between waiting and a refund. You can also name a later day on the order, and your buyer decides.",
    ],
    button: { label: 'Orders to ship', url: `${appUrl}/orders?show=ship` },
  })
}
