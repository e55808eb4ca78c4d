import { type AppError, errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { formatUtc } from '@/lib/kernel/time'
import type { DropState } from '@/lib/drops/rules'
import { codeErrors } from './choices/code-messages'
import { earlyErrors } from './choices/early-messages'
import { lineErrors, tapAgainText } from './hold/line-messages'
import { limitErrors } from './hold/limit-messages'
import { countryErrors } from './choices/country-messages'

export const checkoutTexts = {
  failedToStart: 'Failed to start checkout',
  badQuantity: 'You can buy 1 to 10 at a time.',
  paymentNotAvailableTitle: 'Payment Not Available',
  paymentNotAvailable: 'Payment processing is not yet configured. This will be available when the platform goes live.',
  checkoutErrorTitle: 'Checkout Error',
  failedToInitialize: 'Failed to initialize checkout. Please try again.',
  unknownVariants: 'This drop has no options to choose from.',
  badVariants: 'Name the option and one of its values, such as {"Size": "M"}.',
  badEarly: "A follower's link is at most 200 characters long.",
  badCode: 'A discount code has 3 to 20 letters, digits or hyphens.',
  holdOver: "Your reservation expired and you weren't charged. You can start again while the drop is live.",
  holdReplaced:
    "You weren't charged. This checkout has ended, perhaps because you opened or closed another one for this drop. Please continue there, or start again here.",
  holdOverUnclear: "Your reservation expired, and we don't know yet whether your payment went through.",
  noAnswer: "We lost the connection before your payment was confirmed. Tap Pay again. You can't be charged twice.",
  walletLate: "You weren't charged. That took too long. Please tap again.",
  reserving: 'Reserving your order…',
  lastMinuteToPay: 'Less than a minute left to pay',
  walletUnclear: 'We lost the connection before your payment was confirmed. Please check whether it went through.',
  walletNotSent: "You weren't charged. We couldn't reach the bank. Please try again.",
  walletUsed: "You weren't charged. Close your wallet, then tap its button again to use another card.",
  walletBroken: "You weren't charged. This wallet doesn't work here right now. Please use the Buy button.",
  /** The labels of the button that leads to the order page, by what the page offers. */
  open: { key: 'Get your key', other: 'View your order' },
  waitTitle: 'One moment, please',
  waitButton: 'Continue to payment',
  waitBack: 'Back to the drop',
  codeRefusedTitle: "This code can't be used",
  buyWithoutCode: 'Buy without the code',
  successTitle: 'Payment Successful!',
  nextStep: {
    physical: "The seller will pack your order next. We'll email you when it ships.",
    service: 'The seller will email you to arrange the details.',
    digital: null,
  },
  notPaidTitle: "This order isn't paid",
  notPaid: "You weren't charged. You can try again while the drop is live.",
  refundedTitle: 'We refunded your payment',
  refunded: 'Your order page says why. The full refund can take 5 to 10 days to appear on your card.',
  confirmingTitle: 'Confirming your payment…',
  confirming: 'This usually takes a few seconds. You can leave this page open or come back to it later.',
} as const

export const checkoutErrors = {
  DROP_NOT_FOUND: { status: 404, text: "This drop may have expired or doesn't exist." },
  DROP_ENDED: { status: 409, text: 'This drop has ended' },
  DROP_SCHEDULED: { status: 409, text: "This drop hasn't started yet. Its page counts down to the start." },
  DROP_PAUSED: { status: 409, text: 'This drop is paused right now. Please try again later.' },
  SOLD_OUT: { status: 409, text: 'Sold out. Every unit of this drop has been bought.' },
  ALL_IN_CHECKOUT: {
    status: 409,
    text: "Every remaining unit is in someone's checkout. One may free up in a few minutes.",
  },
  ALREADY_PAID: { status: 409, text: "You've already paid for this. We're opening your order." },
  WALLET_BUSY: { status: 429, text: "You weren't charged. Please use the Buy button." },
  WORK_NEEDED: { status: 429, text: 'Many people are buying this right now. Please try again in a moment.' },
  NO_OPTIONS: { status: 400, text: checkoutTexts.unknownVariants, field: 'selectedVariants' },
  OPTION_MISSING: { status: 400, text: 'Please make your choice first.', field: 'selectedVariants' },
  OPTION_UNKNOWN: {
    status: 400,
    text: "This drop doesn't have that choice. Please choose another.",
    field: 'selectedVariants',
  },
  OPTION_SOLD_OUT: {
    status: 409,
    text: 'Your choice is sold out. Please choose another one.',
    field: 'selectedVariants',
  },
  OPTION_IN_CHECKOUT: {
    status: 409,
    text: "Every remaining unit of your choice is in someone's checkout. One may free up in a few minutes.",
    field: 'selectedVariants',
  },
  ...countryErrors,
  ...limitErrors,
  NOT_ENOUGH_LEFT: { status: 409, text: "There aren't that many units left. Please choose fewer.", field: 'quantity' },
  OWN_DROP: { status: 403, text: "You can't buy your own drop." },
  PAYMENTS_OFF: { status: 503, text: checkoutTexts.paymentNotAvailable },
  STRIPE_AWAY: { status: 503, text: "Failed to start checkout. You weren't charged. Please try again." },
  ...lineErrors,
  TOO_MUCH_AT_ONCE: {
    status: 400,
    text: 'A payment can be at most $999,999.99. Please choose fewer units.',
    field: 'quantity',
  },
  ABOVE_LIMIT: {
    status: 409,
    text: "That's more than the seller allows per buyer. Please choose fewer.",
    field: 'quantity',
  },
  ...codeErrors,
  ...earlyErrors,
  HOLD_OVER: { status: 409, text: checkoutTexts.holdOver },
  PRICE_CHANGED: {
    status: 409,
    text: "You weren't charged. The price has changed since you opened this page. Please reload the page.",
  },
  WALLET_DETAILS: {
    status: 400,
    text: "You weren't charged. Your wallet's details are incomplete. Add what's missing in your wallet, or buy with a card.",
  },
} as const satisfies ErrorTable

export const checkoutError = /* @__PURE__ */ errorsFrom(checkoutErrors)

/** The text for a buyer whose request to start a checkout got no response. */
export function startFailedText(isOnline: boolean): string {
  if (isOnline) return checkoutTexts.failedToStart
  return `${checkoutTexts.failedToStart}. You're offline and weren't charged. Try again when you're back online.`
}

/**
 * The error with the text of waitText(), for a form that was sent without JavaScript. The buyer then has to press the
 * button again.
 */
export const inLine = (wait: { ahead: number; seconds: number }): AppError =>
  checkoutError('IN_LINE', { text: tapAgainText(wait), retryAfterSeconds: wait.seconds })

/**
 * The error for a buyer who has already paid the open checkout. Its URL leads to the page that shows the outcome of the
 * payment.
 */
export const alreadyPaid = (stripeId: string): AppError =>
  checkoutError('ALREADY_PAID', { url: `/success-payment?session_id=${stripeId}` })

/**
 * The text for a buyer who comes before a drop starts, which docs/contract.md promises to clients. The time is in UTC,
 * because the buyer's time zone is not known.
 */
export function notStartedText(startedAt: Date): string {
  return `Starts ${formatUtc(startedAt)}.`
}

/** The text that says why a drop in this state cannot be bought; null when it can be bought. */
export function stateRefusal(state: DropState): string | null {
  if (state === 'upcoming') return checkoutErrors.DROP_SCHEDULED.text
  if (state === 'ended') return checkoutErrors.DROP_ENDED.text
  if (state === 'paused') return checkoutErrors.DROP_PAUSED.text
  return state === 'soldOut' ? checkoutErrors.SOLD_OUT.text : null
}
