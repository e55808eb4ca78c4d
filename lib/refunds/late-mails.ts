import 'server-only'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { type RefundedOrder, refundedMail } from './refunded-mail'
import type { LateOrder } from '@/lib/orders/mails'

type Seller = { email: string; firstName: string; username: string | null }

/** Notifies the seller that a late order is being refunded. */
export function lateRefundSellerNotice(
  order: LateOrder,
  seller: Seller,
  refund: { id: string; amountCents: number; isAnswered: boolean },
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `late-order-refund-seller:${refund.id}`, {
    subject: `Refunded because it was late: ${order.dropTitle}`,
    preview: `Don't ship this order. The buyer gets ${formatUsd(refund.amountCents)} back.`,
    heading: "Don't ship this order",
    paragraphs: [
      refund.isAnswered
        ? `The buyer of ${order.dropTitle} didn't want to wait, so we're refunding ${formatUsd(refund.amountCents)}.`
        : `The buyer of ${order.dropTitle} didn't answer, so we're refunding ${formatUsd(refund.amountCents)}, as the drop page promised.`,
      'We deduct the refund from your payout, like a refund that you send yourself.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

/** Notifies the buyer, once per refund, that a late order was refunded. */
export function lateRefundNotice(
  order: RefundedOrder,
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const why = `${order.dropTitle} wasn't shipped by the promised day, so we refunded ${formatUsd(refund.amountCents)}. The seller won't ship this order.`
  return refundedMail(order, refund, { email, why }, appUrl)
}
