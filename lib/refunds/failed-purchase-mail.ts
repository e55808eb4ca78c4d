import 'server-only'
import { countryWithArticle } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import {
  type FailedPurchaseReason,
  failedPurchaseReasonOf,
  failedPurchaseReasons,
  mismatchReasons,
} from '@/lib/orders/failed-purchase-reasons'
import { type MailedOrder, orderLink } from '@/lib/orders/mails'

const HEADING = 'We refunded your payment'
const RETURNED = 'The full amount is on its way back to your card. It can take 5 to 10 days to appear.'

type Texts = { preview: string; paragraphs: string[] }

const PREVIEW = "We couldn't place your order, so we refunded you in full."
const arrivedLate = (title: string) => `Your payment for ${title} arrived after your reservation had expired, and`

/** The texts about payments that got no unit, by the reason of the refund. */
const textsOf: Record<FailedPurchaseReason, (order: MailedOrder) => Texts> = {
  [failedPurchaseReasons.soldOut]: ({ dropTitle }) => ({
    preview: PREVIEW,
    paragraphs: [`${arrivedLate(dropTitle)} every unit was already sold. We're sorry.`],
  }),
  [failedPurchaseReasons.noKey]: ({ dropTitle }) => ({
    preview: PREVIEW,
    paragraphs: [`When your payment for ${dropTitle} arrived, there was no key left for your order. We're sorry.`],
  }),
  [failedPurchaseReasons.editionClosed]: ({ dropTitle }) => ({
    preview: PREVIEW,
    paragraphs: [
      `${arrivedLate(dropTitle)} the edition had closed. We don't sell any units after an edition closes, so that its total stays the same. We're sorry.`,
    ],
  }),
  [failedPurchaseReasons.beforeStart]: ({ dropTitle }) => ({
    preview: PREVIEW,
    paragraphs: [`${arrivedLate(dropTitle)} the drop hadn't started for everyone. You can buy again once it starts.`],
  }),
  [failedPurchaseReasons.offSale]: ({ dropTitle }) => ({
    preview: PREVIEW,
    paragraphs: [`${arrivedLate(dropTitle)} the drop was no longer on sale. We're sorry.`],
  }),
  [failedPurchaseReasons.aboveLimit]: ({ dropTitle }) => ({
    preview: 'The seller limits how many units one buyer can buy. We refunded you in full.',
    paragraphs: [
      `The seller of ${dropTitle} limits how many units one buyer can buy, and this order went over that limit. We count orders with the same email address or card. Your earlier orders aren't affected.`,
    ],
  }),
  [failedPurchaseReasons.aboveCodeLimit]: ({ dropTitle, discountCode }) => ({
    preview: 'The seller limits how often one buyer can use this code. We refunded you in full.',
    paragraphs: [
      `The seller of ${dropTitle} limits how often one buyer can use the code ${discountCode ?? ''}, and this order went over that limit. We count orders with the same email address or card. Your earlier orders aren't affected.`,
      'You can buy again without the code while the drop is live.',
    ],
  }),
  [failedPurchaseReasons.codeUsedUp]: ({ dropTitle, discountCode }) => ({
    preview: 'The last use of your code went to someone else before your payment arrived. We refunded you in full.',
    paragraphs: [
      `When your payment for ${dropTitle} arrived, your order was no longer reserved, and the code ${discountCode ?? ''} had been used up. We're sorry.`,
      'You can buy again without the code while the drop is live.',
    ],
  }),
}

/**
 * Notifies a buyer that a payment got no unit and was refunded, and says why.
 * @param reason the reason of the refund, as the statement that settled the payment stored it
 */
export function failedPurchaseMail(order: MailedOrder, email: string, appUrl: string, reason: string): QueuedMail {
  const { preview, paragraphs } = textsOf[failedPurchaseReasonOf(reason)](order)
  return composeMail(email, `late-refund:${order.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview,
    heading: HEADING,
    paragraphs: [...paragraphs, RETURNED],
    facts: [['Refunded', `${formatUsd(order.amountCents)} USD`]],
    ...orderLink(order, appUrl),
  })
}

/**
 * Notifies the buyer that the amount paid was not the amount of the order, or that the address was in another country,
 * so that nothing was sold and the whole payment was refunded.
 */
export function mismatchRefundNotice(
  order: MailedOrder,
  refund: { id: string; amountCents: number; reason: string },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  const why =
    refund.reason === mismatchReasons.otherCountry && order.shipsTo
      ? `You chose shipping to ${countryWithArticle(order.shipsTo)} for ${order.dropTitle}, but your address is in another country, so we didn't place your order. We refunded ${amount} in full.`
      : refund.reason === mismatchReasons.unservedAddress
        ? `Your payment for ${order.dropTitle} had no address that we ship to, so we didn't place your order. We refunded ${amount} in full.`
        : `We received ${amount} for ${order.dropTitle}, which isn't the amount of your order, so we didn't place your order. We refunded the full amount.`
  return composeMail(email, `mismatch-refund:${refund.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: `${amount} is on its way back to your card.`,
    heading: HEADING,
    paragraphs: [why, RETURNED],
    facts: [['Refunded', `${amount} USD`]],
    ...orderLink(order, appUrl),
  })
}
