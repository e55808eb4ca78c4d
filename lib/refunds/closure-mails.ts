import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { type MailedOrder, orderLink } from '@/lib/orders/mails'

/**
 * Notifies the buyer that an order of a closed account was not refunded automatically, because the seller had been paid
 * for it and the account at Stripe did not return the money. An administrator decides about the refund.
 */
export function closureNotCoveredNotice(
  order: MailedOrder,
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `closure-refund-failed:${refund.id}`, {
    subject: `We couldn't refund you yet: ${order.dropTitle}`,
    preview: `Write to us about the ${amount} you paid.`,
    heading: "We couldn't refund you yet",
    paragraphs: [
      `The account of the seller of ${order.dropTitle} was closed, and we couldn't get your ${amount} back from the seller.`,
      `Please write to ${brand.contact.support} from this address. A person will look at your order.`,
    ],
    facts: [['Order', referenceOf(order.id)]],
    ...orderLink(order, appUrl),
  })
}
