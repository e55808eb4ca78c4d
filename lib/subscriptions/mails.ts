import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { type BillingPeriod, proPriceCents } from '@/lib/plans/rules'

type Recipient = { email: string; firstName: string; timezone: string }

/** Welcomes a seller to Pro and says when it renews. Each subscription causes this email once. */
export function proStartedMail(
  to: Recipient,
  facts: { subscriptionId: string; billingPeriod: BillingPeriod; periodEnd: Date },
  appUrl: string,
): QueuedMail {
  return composeMail(to.email, `pro-started:${facts.subscriptionId}`, {
    subject: 'Welcome to Pro!',
    preview: 'Three drops at a time, all product types and a 3% fee.',
    heading: `Welcome to Pro, ${to.firstName}`,
    paragraphs: [
      'You can run three drops at a time, sell digital goods and services, choose your own links, and pay a 3% fee.',
      'Not for you? Get a full refund within 14 days in your settings.',
    ],
    facts: [
      ['Plan', `Pro, ${facts.billingPeriod}`],
      ['Price', formatUsd(proPriceCents[facts.billingPeriod])],
      ['Renews on', formatDay(facts.periodEnd, to.timezone)],
    ],
    button: { label: 'Create a drop', url: `${appUrl}/create-drop` },
  })
}

/** Asks a seller to update the card after a failed renewal. Each billing period causes this email once. */
export function renewalFailedMail(
  to: Recipient,
  facts: { subscriptionId: string; periodStart: Date; graceUntil: Date },
  appUrl: string,
): QueuedMail {
  return composeMail(to.email, `pro-failed:${facts.subscriptionId}:${facts.periodStart.getTime()}`, {
    subject: 'Your Pro renewal failed',
    preview: `Update your card by ${formatDay(facts.graceUntil, to.timezone)} to keep Pro.`,
    heading: 'Your card was declined',
    paragraphs: [
      `We couldn't renew your Pro plan. You keep Pro until ${formatDay(facts.graceUntil, to.timezone)}. Please update your card before then.`,
      'After that your account moves to the free plan. Drops that are live stay live until they end, and scheduled ones start as planned.',
    ],
    button: { label: 'Update your card', url: `${appUrl}/billing` },
  })
}

/** Reports that Pro has ended and what happens to running drops. Each subscription causes this email once. */
export function proEndedMail(to: Recipient, subscriptionId: string, appUrl: string): QueuedMail {
  return composeMail(to.email, `pro-ended:${subscriptionId}`, {
    subject: 'Your Pro plan has ended',
    preview: 'Live and scheduled drops stay as they are.',
    heading: "You're on the free plan",
    paragraphs: [
      'Your Pro plan has ended. Drops that are live stay live until they end, and scheduled ones start as planned. New drops follow the rules of the free plan.',
    ],
    button: { label: 'Return to Pro', url: `${appUrl}/?upgrade=true` },
  })
}

/**
 * Confirms the refund of a Pro subscription. An account can have its money back only once, so the key needs no more
 * than the user.
 */
export function moneyBackMail(to: Recipient, facts: { userId: number; refundedCents: number }): QueuedMail {
  return composeMail(to.email, `pro-money-back:${facts.userId}`, {
    subject: 'Your Pro refund is on its way',
    preview: `We refunded ${formatUsd(facts.refundedCents)} to your card.`,
    heading: 'We refunded your payment',
    paragraphs: [
      'Your Pro plan has ended, and we refunded your payment to your card. It can take 5 to 10 days to appear.',
      `Not there after 10 days? Write to ${brand.contact.support}.`,
    ],
    facts: [['Refunded', formatUsd(facts.refundedCents)]],
  })
}

/** A refund for Pro that failed, by its id at Stripe, and its cents. */
export type FailedRefund = { id: string; amount: number }

/** Reports to the seller that a refund of Pro did not arrive, and where to ask for another way. */
export function moneyBackFailedMail(to: Recipient, failed: FailedRefund): QueuedMail {
  const amount = formatUsd(failed.amount)
  return composeMail(to.email, `pro-money-back-failed:${failed.id}`, {
    subject: "We couldn't refund your Pro plan",
    preview: `The refund of ${amount} didn't go through. Tell us where to send it.`,
    heading: "Our refund didn't go through",
    paragraphs: [
      `Your Pro plan has ended. We tried to refund ${amount} to your card, but the refund didn't go through. This usually means that the card is closed.`,
      `We still owe you the full amount. Please write to ${brand.contact.support} from this address, and we'll pay you another way.`,
    ],
  })
}

/** Asks an administrator to pay a failed refund of the plan in another way. */
export function planRefundOwedMail(
  email: string,
  user: { id: number; email: string },
  failed: FailedRefund,
  appUrl: string,
): QueuedMail {
  const amount = formatUsd(failed.amount)
  return composeMail(email, `pro-refund-owed:${failed.id}:${email}`, {
    subject: 'A Pro refund failed and is still owed',
    preview: `The platform owes a user ${amount}.`,
    heading: 'A platform refund failed',
    paragraphs: [
      `The bank or Stripe declined the refund of ${amount} for Pro to user ${user.id} (${user.email}). The money is on the platform's balance at Stripe.`,
      'Please pay the user another way. We asked them to write to the support address.',
    ],
    button: { label: 'See the user', url: `${appUrl}/admin/users` },
  })
}
