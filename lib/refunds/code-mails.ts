import 'server-only'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { type MailedOrder, orderLink } from '@/lib/orders/mails'

/**
 * Sent when an order is refunded because its buyer has already used the discount code as often as the seller permits.
 */
export function aboveCodeLimitNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  return composeMail(email, `late-refund:${order.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: 'The seller limits how often one buyer can use this code. We refunded you in full.',
    heading: 'We refunded your payment',
    paragraphs: [
      `The seller of ${order.dropTitle} limits how often one buyer can use the code ${order.discountCode ?? ''}, and this order went over that limit. We count orders with the same email address or card. Your earlier orders aren't affected.`,
      'You can buy again without the code while the drop is live.',
      'The full amount is on its way back to your card. It can take 5 to 10 days to appear.',
    ],
    facts: [['Refunded', `${formatUsd(order.amountCents)} USD`]],
    ...orderLink(order, appUrl),
  })
}

/**
 * Sent when an order is refunded because its hold ended before the payment arrived, and other buyers had taken the last
 * use of its discount code in the meantime.
 */
export function codeUsedUpNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  return composeMail(email, `late-refund:${order.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: 'The last use of your code went to someone else before your payment arrived. We refunded you in full.',
    heading: 'We refunded your payment',
    paragraphs: [
      `When your payment for ${order.dropTitle} arrived, your order was no longer reserved, and the code ${order.discountCode ?? ''} had been used up. We're sorry.`,
      'You can buy again without the code while the drop is live.',
      'We refunded the full amount to your card. It can take 5 to 10 days to appear.',
    ],
    facts: [['Refunded', `${formatUsd(order.amountCents)} USD`]],
    ...orderLink(order, appUrl),
  })
}
