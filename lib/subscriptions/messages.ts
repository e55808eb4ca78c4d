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
  STRIPE_AWAY: { status: 503, text: 'Our payment provider does not answer. Please try again in a moment.' },
  NO_SUBSCRIPTION: { status: 409, text: 'There is no Pro subscription to change.' },
  NO_MONEY_BACK: { status: 409, text: 'Money back is possible once, within 14 days of the first payment.' },
  SWITCH_DECLINED: { status: 409, text: 'Your card was declined. Please use another card in your billing.' },
} as const satisfies ErrorTable

export const subscriptionError = /* @__PURE__ */ errorsFrom(subscriptionErrors)

/** The toasts of the upgrade dialog and the subscribe page (docs/product.md#subscribe-page). */
export const subscriptionToasts = {
  welcome: { title: 'Welcome to Pro!', description: 'Your plan is active. Enjoy everything that comes with it.' },
  confirming: { title: 'Payment received', description: 'Your plan becomes Pro in a moment.' },
  upgradeFailed: { title: 'Upgrade failed', description: 'Please try again or contact support.' },
  unauthorized: { title: 'Unauthorized', description: 'You are logged out. Logging in again...' },
  alreadySubscribed: {
    title: subscriptionTexts.alreadySubscribed,
    description: subscriptionTexts.alreadySubscribedText,
  },
  failedToStart: { title: 'Error', description: subscriptionTexts.failedToStart },
  moneyBack: { title: 'Your Pro plan has ended', description: 'You get a mail when your money is on its way back.' },
  canceled: { title: 'Your plan will end', description: 'You keep Pro until the end of the period you paid for.' },
  resumed: { title: 'Your plan goes on', description: 'It renews as before.' },
  switched: { title: 'Billing period changed', description: 'The rest of your old period was credited.' },
} as const
