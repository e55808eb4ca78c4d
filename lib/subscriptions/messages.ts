import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import { type BillingPeriod, proPriceCents } from '@/lib/plans/rules'
import type { SwitchView } from './view'

export const subscriptionTexts = {
  failedToStart: 'Failed to initialize subscription. Please try again.',
  notAvailableTitle: 'Payment Not Available',
  notAvailable: 'Pro subscriptions will be available when the platform goes live.',
  alreadySubscribed: 'Already Subscribed',
  alreadySubscribedText: "You're on the Pro plan.",
  notSwitched: 'Your billing stays as it is.',
} as const

const subscriptionErrors = {
  PAYMENTS_OFF: { status: 503, text: subscriptionTexts.notAvailable },
  ALREADY_PRO: { status: 409, text: subscriptionTexts.alreadySubscribed },
  STRIPE_AWAY: { status: 503, text: "Our payment provider isn't responding. Please try again in a moment." },
  NO_SUBSCRIPTION: { status: 409, text: "You don't have a Pro subscription to change." },
  NO_MONEY_BACK: { status: 409, text: 'You can get a full refund once, within 14 days of your first payment.' },
  RENEWAL_UNPAID: {
    status: 409,
    text: "Your latest renewal isn't paid yet. If the bank declined your card, update your card first, then switch.",
  },
  ALREADY_SWITCHED: { status: 409, text: 'Your plan is already billed this way. Please reload the page.' },
  SWITCH_COSTS_MORE: {
    status: 409,
    text: "You weren't charged. Today's amount has changed. Please check the new amount and confirm again.",
  },
  SWITCH_DECLINED: {
    status: 409,
    text: "You weren't charged. The bank declined your card. Please update your card and try again.",
  },
} as const satisfies ErrorTable

export const subscriptionError = /* @__PURE__ */ errorsFrom(subscriptionErrors)

/**
 * What the settings say before a seller confirms a switch of the billing period. The day is in the seller's time zone.
 */
export function switchTerms(view: SwitchView, period: BillingPeriod, timezone: string): string {
  const { todayCents, creditCents, renewsOn } = view
  const price = `${formatUsd(proPriceCents[period])} per ${period === 'yearly' ? 'year' : 'month'}`
  const today =
    todayCents > 0
      ? `You pay ${formatUsd(todayCents)} today. The unused part of your current ${period === 'yearly' ? 'month' : 'year'} is already taken off.`
      : 'You pay nothing today.'
  const credit =
    creditCents > 0 ? ` Your remaining credit of ${formatUsd(creditCents)} goes toward your next bills.` : ''
  return `${today}${credit} Your plan renews on ${formatDay(new Date(renewsOn), timezone)} at ${price}.`
}

/**
 * The toasts of the upgrade dialog, the subscribe page (docs/product.md#subscribe-page) and the plan in the settings.
 */
export const subscriptionToasts = {
  welcome: { title: 'Welcome to Pro!', description: 'Your plan is active. Enjoy!' },
  confirming: { title: 'Payment received', description: 'Your Pro plan will be active in a moment.' },
  upgradeFailed: { title: 'Upgrade failed', description: 'Please try again or contact support.' },
  unauthorized: { title: 'Unauthorized', description: 'You are logged out. Logging in again...' },
  alreadySubscribed: {
    title: subscriptionTexts.alreadySubscribed,
    description: subscriptionTexts.alreadySubscribedText,
  },
  failedToStart: { title: 'Error', description: subscriptionTexts.failedToStart },
  moneyBack: { title: 'Your Pro plan has ended', description: "We'll email you when your refund is on its way." },
  canceled: { title: 'Your plan will end', description: 'You keep Pro until the end of the period you paid for.' },
  resumed: { title: "You're keeping Pro", description: 'Your plan will renew as before.' },
  switched: { title: 'Billing period changed', description: 'We credited the unused part of your old billing period.' },
} as const
