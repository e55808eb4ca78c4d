import 'server-only'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { brand } from '@/lib/kernel/brand'
import { cutText, endSentence } from '@/lib/kernel/text'
import { contactLink, type FromBuyer, type MailedOrder, orderLink, sellerInMail } from '@/lib/orders/mails'
import { type RefundedOrder, refundedMail } from './refunded-mail'
import type { GivenKeys } from '@/lib/orders/give-missing-keys'
import { keysAgainTexts, unitsAgainTexts } from './messages'
import type { UnitsAgain } from './take-units-again'

/** Sent to an administrator when a refund that the platform owes has failed and must be paid in another way. */
export function refundOwedNotice(
  order: { id: string; dropTitle: string },
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `refund-owed:${refund.id}:${email}`, {
    subject: `A refund failed and is still owed: ${order.dropTitle}`,
    preview: `The platform owes a buyer ${amount}.`,
    heading: 'A platform refund failed',
    paragraphs: [
      `The bank or Stripe declined the refund of ${amount} for ${order.dropTitle}. The money is on the platform's balance at Stripe.`,
      'Please pay the buyer another way, unless the payment is disputed. Then the bank decides. We asked the buyer to write to the support address.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/admin/orders?show=all&q=${order.id}` },
  })
}

/**
 * Notifies the buyer that the bank rejected a refund that the platform owes. Only the buyer can name another way to be
 * paid back.
 */
export function unpayableRefundNotice(
  order: MailedOrder,
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `late-refund-failed:${refund.id}`, {
    subject: `We couldn't refund you: ${order.dropTitle}`,
    preview: `Your bank returned the ${amount}. Tell us where to send it.`,
    heading: 'Your bank returned our refund',
    paragraphs: [
      `We tried to refund ${amount} for ${order.dropTitle}, but your bank sent the money back to us. This usually means that the card is closed.`,
      `We still owe you this amount. Please write to ${brand.contact.support} from this address, and we'll pay you another way.`,
    ],
    facts: [['Order', referenceOf(order.id)]],
    ...orderLink(order, appUrl),
  })
}

/** Notifies the buyer that the bank rejected a refund by the seller, who has to pay the buyer back in another way. */
export function refundReturnedNotice(
  order: MailedOrder,
  refund: { id: string; amountCents: number },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(email, `refund-returned:${refund.id}`, {
    subject: `Your refund didn't arrive: ${order.dropTitle}`,
    preview: `Your bank returned the ${amount}.`,
    heading: 'Your bank returned the refund',
    paragraphs: [
      `The refund of ${amount} for ${order.dropTitle} didn't reach your card. This usually means that the card is closed.`,
      'We notified the seller. Please message the seller from your order page and agree on another way.',
    ],
    facts: [['Order', referenceOf(order.id)]],
    ...contactLink(order, appUrl),
  })
}

/**
 * Notifies the buyer, once per refund, of a full or partial refund. It was made by the seller, by someone in Stripe's
 * dashboard, or by the platform because the seller's account was closed. Payments that bought nothing have notices of
 * their own.
 */
export function refundNotice(
  order: RefundedOrder & { seller: { username: string | null } },
  refund: { id: string; amountCents: number; requestedBy: string },
  email: string,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  // A refund in Stripe's dashboard is made by the platform.
  const who = refund.requestedBy === 'stripe' ? 'We' : `@${order.seller.username}`
  const why =
    order.seller.username === null
      ? `The seller of ${order.dropTitle} closed their account, so we refunded ${amount}.`
      : endSentence(`${who} refunded ${amount} for ${order.dropTitle}`)
  return refundedMail(order, refund, { email, why }, appUrl)
}

/**
 * Notifies the seller that the bank rejected a refund, which can happen days later. Only the seller can then arrange
 * another way to pay the buyer back.
 * @param again the units and the keys that the order has got back
 */
export function refundFailedNotice(
  order: MailedOrder & { seller: { email: string } },
  refund: { id: string; amountCents: number },
  appUrl: string,
  again: { units: UnitsAgain; keys: GivenKeys } = { units: { taken: 0, missing: 0 }, keys: { given: 0, restored: 0 } },
): QueuedMail {
  const amount = formatUsd(refund.amountCents)
  return composeMail(order.seller.email, `refund-failed:${refund.id}`, {
    subject: `Refund failed: ${order.dropTitle}`,
    preview: `The bank returned ${amount}. We added it back to your payout.`,
    heading: 'A refund failed',
    paragraphs: [
      `The refund of ${amount} for ${order.dropTitle} didn't reach your buyer. This usually means that their card is closed.`,
      'We added the amount back to your payout. Please arrange another way to pay your buyer back, or try the refund again.',
      ...unitsAgainTexts(again.units),
      ...keysAgainTexts(again.keys),
    ],
    facts: [['Order', referenceOf(order.id)]],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

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

/** Passes a buyer's refund request on to the seller. A reply goes straight to the buyer. */
export function refundRequest(order: FromBuyer, asked: { id: string; text: string }, appUrl: string): QueuedMail {
  return composeMail(order.seller.email, `refund-request:${asked.id}`, {
    subject: `Refund requested: ${order.dropTitle}`,
    preview: cutText(asked.text, 120),
    heading: 'Your buyer requested a refund',
    paragraphs: [`${order.buyerName ?? 'Your buyer'} wrote:`, asked.text],
    ...(order.buyerEmail ? { replyTo: order.buyerEmail } : {}),
    facts: [
      ['Order', referenceOf(order.id)],
      ['Paid', formatUsd(order.amountCents)],
    ],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}

/** Notifies the buyer that the seller declined the refund request, and says why and what the buyer can do next. */
export function refundDeclined(
  order: MailedOrder,
  declined: { id: string; answer: string },
  email: string,
  appUrl: string,
): QueuedMail {
  return composeMail(email, `refund-declined:${declined.id}`, {
    subject: `About your refund request: ${order.dropTitle}`,
    preview: cutText(declined.answer, 120),
    heading: 'The seller declined your refund request',
    paragraphs: [
      `${sellerInMail(order.seller, true)} wrote:`,
      declined.answer,
      "Don't agree? Message the seller from your order page, and we'll email them your message.",
    ],
    facts: [['Order', referenceOf(order.id)]],
    ...contactLink(order, appUrl),
  })
}
