import 'server-only'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import type { MailedOrder } from '@/lib/orders/mails'

/** Notifies the seller that a refund was not made, because the account at Stripe could not return the money. */
export function refundNotCoveredNotice(
  order: MailedOrder & { seller: { email: string } },
  refund: { id: string; amountCents: number; createdAt: Date },
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(order.seller.email, `refund-not-covered:${refund.id}:${refund.createdAt.getTime()}`, {
    subject: `Refund not made: ${order.dropTitle}`,
    preview: `Your Stripe balance doesn't cover ${amount} anymore.`,
    heading: 'A refund was not made',
    paragraphs: [
      `You've already been paid for ${order.dropTitle}, and your available Stripe balance doesn't cover the refund of ${amount} anymore. Your buyer got nothing back.`,
      'Please make the refund again in a few days, when money from recent sales is available.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}
