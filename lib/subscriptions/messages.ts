import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

export const subscriptionTexts = {
  failedToStart: 'Failed to initialize subscription. Please try again.',
  notAvailableTitle: 'Payment Not Available',
  notAvailable: 'Pro subscriptions will be available when the platform goes live.',
  alreadySubscribed: 'Already Subscribed',
  alreadySubscribedText: 'You are on the Pro plan.',
} as const

const subscriptionErrors = {
  PAYMENTS_OFF: { status: 503, text: subscriptionTexts.notAvailable },
  ALREADY_PRO: { status: 409, text: subscriptionTexts.alreadySubscribed },
  STRIPE_AWAY: { status: 503, text: "Our payment provider isn't responding. Please try again in a moment." },
  NO_SUBSCRIPTION: { status: 409, text: "You don't have a Pro subscription to change." },
  NO_MONEY_BACK: { status: 409, text: 'You can get a full refund once, within 14 days of your first payment.' },
  RENEWAL_UNPAID: {
    status: 409,
    text: 'Your latest renewal is not paid yet. If your card was declined, please update it first, then change the billing period.',
  },
  SWITCH_DECLINED: { status: 409, text: 'Your card was declined. Please update your card and try again.' },
} as const satisfies ErrorTable

export const subscriptionError = /* @__PURE__ */ errorsFrom(subscriptionErrors)

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
