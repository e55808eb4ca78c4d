import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { endSentence } from '@/lib/kernel/text'
import { formatDay } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import type { MailedOrder } from '@/lib/orders/mails'

/** Notifies the seller of an inquiry. No money has moved, and a full refund settles the inquiry. */
export function inquiryNotice(
  order: MailedOrder & { seller: { email: string; timezone: string } },
  inquiry: { id: string; amountCents: number; dueAt: Date | null },
  appUrl: string,
): QueuedMail {
  const day = inquiry.dueAt && formatDay(inquiry.dueAt, order.seller.timezone)
  return composeMail(order.seller.email, `inquiry:${inquiry.id}`, {
    subject: `The bank is asking about a payment: ${order.dropTitle}`,
    preview: 'No money was taken. Respond, or refund the order in full.',
    heading: 'The bank is asking about a payment',
    paragraphs: [
      `${endSentence(`The buyer's bank is asking about ${formatUsd(inquiry.amountCents)} for ${order.dropTitle}`)} No money was taken, but the question can become a dispute.`,
      "You can send the bank the evidence we've collected, or refund the order in full to settle the inquiry.",
    ],
    facts: [['Order', referenceOf(order.id)], ...(day ? ([['Respond by', day]] satisfies [string, string][]) : [])],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}#dispute` },
  })
}

/**
 * Notifies the seller that the bank has closed an inquiry, or that the card network has settled a dispute before it
 * began. No money moved in either case.
 */
function closedWithoutMoneyNotice(
  order: MailedOrder & { seller: { email: string } },
  dispute: ClosedDispute,
  appUrl: string,
): QueuedMail {
  return composeMail(order.seller.email, `dispute-closed:${dispute.id}`, {
    subject: `The bank's question is closed: ${order.dropTitle}`,
    preview: 'No money was taken.',
    heading: "The bank's question is closed",
    paragraphs: [
      `${endSentence(`The bank is no longer asking about ${formatUsd(dispute.amountCents)} for ${order.dropTitle}`)} No money was taken.`,
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

const disputedPayoutTexts = {
  left: "The bank has taken the amount from us, so we deduct it from your payouts until the bank decides. If you win, we'll send it again.",
  waiting: "This order's payout waits until the bank decides.",
} as const

/**
 * Notifies the seller of a dispute. `dueAt` is the end of the bank's time for evidence; null when the bank named none.
 * `payout` says whether the payout has left, so that it is deducted, or waits; null when neither is true.
 */
export function disputeNotice(
  order: MailedOrder & { seller: { email: string; timezone: string } },
  dispute: { id: string; amountCents: number; dueAt: Date | null; payout: 'left' | 'waiting' | null },
  appUrl: string,
): QueuedMail {
  const day = dispute.dueAt && formatDay(dispute.dueAt, order.seller.timezone)
  return composeMail(order.seller.email, `dispute:${dispute.id}`, {
    subject: `Payment disputed: ${order.dropTitle}`,
    preview: day
      ? `Respond by ${day}. Your evidence is ready to send.`
      : 'A buyer asked their bank to reverse the payment.',
    heading: 'A buyer disputed a payment',
    paragraphs: [
      endSentence(`A buyer asked their bank to reverse ${formatUsd(dispute.amountCents)} for ${order.dropTitle}`),
      ...(dispute.payout ? [disputedPayoutTexts[dispute.payout]] : []),
      "We've collected the evidence for you: the drop page, the terms, and the shipping or download record. Review it, add anything we're missing, and send it.",
    ],
    facts: [['Order', referenceOf(order.id)], ...(day ? ([['Respond by', day]] satisfies [string, string][]) : [])],
    button: { label: 'Respond to the dispute', url: `${appUrl}/orders/${order.id}#dispute` },
  })
}

type ClosedDispute = { id: string; status: string; amountCents: number; feeCents: number }

/**
 * Notifies the seller of the outcome of a dispute, with the amounts.
 * @param payout `lostCents`: the amount that this dispute deducted from the payout, if it was lost. `keptCents`: the
 *   amount that is left of the payout after platform fee, card fee, refunds and lost disputes.
 */
export function disputeClosedNotice(
  order: MailedOrder & { seller: { email: string } },
  dispute: ClosedDispute,
  payout: { keptCents: number; lostCents: number },
  appUrl: string,
): QueuedMail {
  if (dispute.status === 'warning_closed' || dispute.status === 'prevented') {
    return closedWithoutMoneyNotice(order, dispute, appUrl)
  }
  const isLost = dispute.status === 'lost'
  const amount = formatUsd(dispute.amountCents)
  const fee: [string, string][] =
    dispute.feeCents > 0 ? [['Dispute fee', `${formatUsd(dispute.feeCents)}, paid by ${brand.name}`]] : []
  const sums: [string, string][] = isLost
    ? [
        ['Returned to the buyer', amount],
        ['Deducted from your payout', formatUsd(payout.lostCents)],
      ]
    : [
        ['Payment kept', amount],
        ['Your payout', formatUsd(payout.keptCents)],
      ]
  return composeMail(order.seller.email, `dispute-closed:${dispute.id}`, {
    subject: `${isLost ? 'Dispute lost' : dispute.status === 'won' ? 'Dispute won' : 'Dispute closed'}: ${order.dropTitle}`,
    preview: isLost ? `The bank returned ${amount} to the buyer.` : `You keep the payment of ${amount}.`,
    heading: isLost
      ? 'You lost the dispute'
      : dispute.status === 'won'
        ? 'You won the dispute'
        : 'The dispute is closed',
    paragraphs: [
      isLost
        ? `The bank returned ${amount} for ${order.dropTitle} to the buyer, and we deducted ${formatUsd(payout.lostCents)} from your payout. The bank's decision is final.`
        : `${endSentence(`You keep the payment of ${amount} for ${order.dropTitle}`)} We're sending you what we held back or deducted because of the dispute.`,
    ],
    facts: [['Order', referenceOf(order.id)], ...sums, ...fee],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}
