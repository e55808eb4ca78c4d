import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import type { FromBuyer, MailedOrder } from './mails'

export function refundNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  return composeMail(email, `late-refund:${order.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: 'Your payment came after the last unit was gone. All of it is on its way back.',
    heading: 'We gave your money back',
    paragraphs: [
      `Your payment for ${order.dropTitle} arrived after your hold had ended and no unit was left. We are sorry.`,
      'The full amount is on its way back to your card. Banks take 5 to 10 days to show it.',
    ],
    facts: [['Refunded', `${formatUsd(order.amountCents)} USD`]],
    button: { label: 'See your order', url: `${appUrl}/o/${order.token}` },
  })
}

/** The buyer has as many units as the seller sells to one buyer, so this payment was given back. */
export function aboveLimitNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  return composeMail(email, `late-refund:${order.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: 'The seller limits how many one buyer can have. All of your money is on its way back.',
    heading: 'We gave your money back',
    paragraphs: [
      `The seller of ${order.dropTitle} limits how many one buyer can have, and with this order you would have more. We count orders with the same mailbox or the same card. Your earlier orders stay as they are.`,
      'The full amount is on its way back to your card. Banks take 5 to 10 days to show it.',
    ],
    facts: [['Refunded', `${formatUsd(order.amountCents)} USD`]],
    button: { label: 'See your order', url: `${appUrl}/o/${order.token}` },
  })
}

/** The bank rejected the refund of an order that got no unit. Only the buyer can name another way to be paid back. */
export function unpayableRefundNotice(order: MailedOrder, email: string, appUrl: string): QueuedMail {
  const amount = formatUsd(order.amountCents)
  return composeMail(email, `late-refund-failed:${order.id}`, {
    subject: `We could not refund you: ${order.dropTitle}`,
    preview: `Your bank returned the ${amount}. Tell us where to send it.`,
    heading: 'Your bank returned our refund',
    paragraphs: [
      `We tried to refund ${amount} for ${order.dropTitle}, but your bank sent the money back to us. This usually means that the card is closed.`,
      `We still owe you the full amount. Please write to ${brand.contact.support} from this address, and we will pay you another way.`,
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'See your order', url: `${appUrl}/o/${order.token}` },
  })
}

/** Sent once per refund, whoever made it. */
export function partRefundNotice(
  order: MailedOrder,
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `refund:${refund.id}`, {
    subject: `Refunded: ${order.dropTitle}`,
    preview: `${amount} is on its way back to your card.`,
    heading: `${amount} is on its way back`,
    paragraphs: [
      order.seller.username === null
        ? `The seller of ${order.dropTitle} has closed their account, so you get ${amount} back.`
        : `@${order.seller.username} refunded ${amount} of your order ${order.dropTitle}.`,
      'Banks take 5 to 10 days to show it.',
    ],
    facts: [
      ['Refunded', `${amount} USD`],
      ['Paid', `${formatUsd(order.amountCents)} USD`],
    ],
    button: { label: 'See your order', url: `${appUrl}/o/${order.token}` },
  })
}

/** A bank may reject a refund days later. Only the seller can then arrange another way to pay the buyer back. */
export function refundFailedNotice(
  order: MailedOrder & { seller: { email: string } },
  refund: { id: string; amountCents: number },
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(order.seller.email, `refund-failed:${refund.id}`, {
    subject: `A refund came back: ${order.dropTitle}`,
    preview: `The bank turned down ${amount}. Your share is yours again.`,
    heading: 'The bank turned a refund down',
    paragraphs: [
      `The refund of ${amount} for ${order.dropTitle} did not reach your buyer, usually because the card is closed.`,
      'Your share of it is yours again. Please agree with your buyer on another way, or try the refund once more.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'See the order', url: `${appUrl}/orders/${order.id}` },
  })
}

export function disputeNotice(
  order: MailedOrder & { seller: { email: string } },
  dispute: { id: string; amountCents: number; dueAt: Date | null },
  appUrl: string,
): QueuedMail {
  const day = dispute.dueAt?.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
  return composeMail(order.seller.email, `dispute:${dispute.id}`, {
    subject: `A payment is disputed: ${order.dropTitle}`,
    preview: day ? `Answer by ${day}: the evidence is ready.` : 'The bank is asked to take the payment back.',
    heading: 'A buyer disputes a payment',
    paragraphs: [
      `The bank was asked to take ${formatUsd(dispute.amountCents)} for ${order.dropTitle} back.`,
      'We have put the evidence together: the page as it was, the terms, and what was sent or downloaded. Look through it, add what you know, and send it.',
    ],
    facts: [['Order', referenceOf(order.id)], ...(day ? ([['Answer by', day]] satisfies [string, string][]) : [])],
    button: { label: 'Answer the dispute', url: `${appUrl}/orders/${order.id}#dispute` },
  })
}

export function refundRequest(order: FromBuyer, asked: { id: string; text: string }, appUrl: string): QueuedMail {
  return composeMail(order.seller.email, `refund-request:${asked.id}`, {
    subject: `A buyer asks for a refund: ${order.dropTitle}`,
    preview: asked.text.slice(0, 120),
    heading: 'A buyer asks for a refund',
    paragraphs: [`${order.buyerName ?? 'Your buyer'} wrote:`, asked.text],
    facts: [
      ['Order', referenceOf(order.id)],
      ['Paid', formatUsd(order.amountCents)],
    ],
    button: { label: 'See the order', url: `${appUrl}/orders/${order.id}` },
  })
}

/** The seller declined a refund request: the email gives the reason and what the buyer can do next. */
export function refundDeclined(
  order: MailedOrder,
  declined: { id: string; answer: string },
  email: string,
  appUrl: string,
): QueuedMail {
  return composeMail(email, `refund-declined:${declined.id}`, {
    subject: `About your refund request: ${order.dropTitle}`,
    preview: declined.answer.slice(0, 120),
    heading: 'The seller declined your refund request',
    paragraphs: [
      `@${order.seller.username ?? ''} wrote:`,
      declined.answer,
      'If you see it differently, write to the seller from your order page: we pass it on by mail.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'Contact the seller', url: `${appUrl}/o/${order.token}#help` },
  })
}

type ClosedDispute = { id: string; status: string; amountCents: number; feeCents: number }

/**
 * The bank has decided a dispute; the email states the amounts.
 * @param share the payout after fees and refunds, and the part of it that is now taken back. Cents.
 */
export function disputeClosedNotice(
  order: MailedOrder & { seller: { email: string } },
  dispute: ClosedDispute,
  share: { cents: number; takenCents: number },
  appUrl: string,
): QueuedMail {
  const isLost = dispute.status === 'lost'
  const amount = formatUsd(dispute.amountCents)
  const fee: [string, string][] =
    dispute.feeCents > 0 ? [['Dispute fee of the bank', `${formatUsd(dispute.feeCents)}, paid by ${brand.name}`]] : []
  const sums: [string, string][] = isLost
    ? [
        ['Given back to the buyer', amount],
        ['Taken back of your share', formatUsd(share.takenCents)],
      ]
    : [
        ['Stays with the sale', amount],
        ['Your share', formatUsd(share.cents - share.takenCents)],
      ]
  return composeMail(order.seller.email, `dispute-closed:${dispute.id}`, {
    subject: `${isLost ? 'Dispute lost' : dispute.status === 'won' ? 'Dispute won' : 'Dispute closed'}: ${order.dropTitle}`,
    preview: isLost ? `The bank gave ${amount} back to the buyer.` : `${amount} stays with your sale.`,
    heading: isLost
      ? 'The bank decided for the buyer'
      : dispute.status === 'won'
        ? 'The bank decided for you'
        : 'The dispute is over',
    paragraphs: [
      isLost
        ? `The payment of ${amount} for ${order.dropTitle} went back to the buyer, and with it your share of it. The bank's decision is final.`
        : `The payment of ${amount} for ${order.dropTitle} stands. Your share is yours; if it had not been sent yet, it is sent now.`,
    ],
    facts: [['Order', referenceOf(order.id)], ...sums, ...fee],
    button: { label: 'See the order', url: `${appUrl}/orders/${order.id}` },
  })
}
