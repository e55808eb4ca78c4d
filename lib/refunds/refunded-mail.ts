import 'server-only'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { retiredText } from '@/lib/drops/editions/edition-messages'
import { discountFact, type MailedOrder, orderLink, surchargeFact } from '@/lib/orders/mails'

/** The order in an email about a refund. `retired` lists the numbers of refunded units of a numbered drop. */
export type RefundedOrder = Pick<
  MailedOrder,
  'id' | 'token' | 'dropTitle' | 'amountCents' | 'discountCode' | 'discountCents' | 'shipsTo' | 'shippingCents'
> & { retired?: readonly number[] }

/** Notifies the buyer that a refund is on its way. `why` is the sentence that says who made the refund and why. */
export function refundedMail(
  order: RefundedOrder,
  refund: { id: string; amountCents: number },
  { email, why }: { email: string; why: string },
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `refund:${refund.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: `${amount} is on its way to your card.`,
    heading: `Your refund of ${amount} is on its way`,
    paragraphs: [why, 'The refund can take 5 to 10 days to appear on your card.'],
    facts: [
      ['Refunded', `${amount} USD`],
      ['Paid', `${formatUsd(order.amountCents)} USD`],
      ...discountFact(order),
      ...surchargeFact(order),
      ...retiredFact(order.retired ?? []),
    ],
    ...orderLink(order, appUrl),
  })
}

/** Returns the line with the retired numbers, or an empty list if there are none. */
function retiredFact(numbers: readonly number[]): [string, string][] {
  if (numbers.length === 0) return []
  return [[numbers.length === 1 ? 'Retired number' : 'Retired numbers', retiredText(numbers)]]
}
