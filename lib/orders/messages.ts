import { type AppError, errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'
import { formatUtc } from '@/lib/kernel/time'
import type { DropState } from '@/lib/drops/rules'
import { codeErrors } from './code-messages'
import { earlyErrors } from './early-messages'
import { lineErrors, tapAgainText } from './line-messages'
import { limitErrors } from './limit-messages'
import { countryErrors } from './country-messages'

const restockNumbered = "The number of a refunded unit is retired, so the unit can't go back on sale."

const noDownloadsLeft = "You've used all downloads for this order. Message the seller if you need another."

export const orderTexts = {
  noDownloadsLeft,
  showKey: 'Show my key',
  showKeys: 'Show my keys',
  keysTitle: 'Your keys',
  keyTitle: 'Your key',
  keyCopied: 'Key copied!',
  keyNotCopied: "We couldn't copy the key. Please select and copy it yourself.",
  keysHidden: 'We show your key when you tap the button. It stays on this page, so you can come back to it.',
  keysHiddenMany: 'We show your keys when you tap the button. They stay on this page, so you can come back to them.',
  yourMessage: 'Your message',
  sellerGone: `The seller has closed their account. Please write to ${brand.contact.support} instead.`,
  writeInstead: 'Message the seller instead',
  emptyMessage: 'Please write a message first.',
  manyMessages: "You've sent several messages. Try again in an hour.",
  longMessage: 'Use at most 2,000 characters.',
  badEmail: 'Please enter a valid email address.',
  linksSent:
    "If there are orders with this address, we've emailed you the links. Nothing there? Check your spam folder.",
  /** The link to a calendar file, because a service has no date when it is paid. */
  bookingReminder: 'Add a reminder to your calendar',
} as const

export const refundTexts = {
  refundPending:
    "The bank hasn't confirmed the refund yet. We'll keep trying and email your buyer when it goes through.",
  restockNumbered,
  restockShown: "The buyer has seen the key, so the unit can't go back on sale.",
  refundsShipping: 'This refunds shipping only',
  refundsShippingHint: "It doesn't refund a unit. The buyer keeps every unit and its number.",
  restockHint: 'You can restock units while the drop is live, once their full price is refunded.',
  longStatement: 'Use at most 5,000 characters.',
  badRefund: 'Enter an amount of at least one cent.',
  emptyAnswer: 'Please tell your buyer why.',
} as const

export const shippingTexts = {
  emptyFile: 'Choose a file or paste its lines.',
  longFile: 'This file is too large. Please send at most 5,000 lines per file.',
  badDay: 'Choose a day.',
} as const

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

export const orderErrors = {
  NOT_FOUND: { status: 404, text: "We can't find this order." },
  SELLER_GONE: { status: 409, text: orderTexts.sellerGone },
  NO_KEYS_NOW: { status: 409, text: "There's no key to show for this order right now." },
  NO_KEYS_LEFT: { status: 409, text: 'The seller has no keys left for this order. Please message the seller.' },
  NOT_VOIDABLE: { status: 409, text: 'Only a key that a refunded buyer has seen can be marked as void.' },
  NO_DOWNLOADS_LEFT: { status: 409, text: noDownloadsLeft },
  LINK_EXPIRED: { status: 410, text: 'This link has expired. Get a new one on your order page.' },
} as const satisfies ErrorTable

export const orderError = /* @__PURE__ */ errorsFrom(orderErrors)

export const refundErrors = {
  NOT_REFUNDABLE: { status: 409, text: "There's nothing to refund on this order right now." },
  DISPUTED: { status: 409, text: "This payment is disputed, so it can't be refunded until the bank decides." },
  REFUND_TOO_LARGE: {
    status: 409,
    text: "That's more than you can still refund. Please enter a smaller amount.",
    field: 'amountCents',
  },
  RESTOCK_NUMBERED: { status: 400, text: restockNumbered, field: 'restockUnits' },
  RESTOCK_SHOWN: {
    status: 409,
    text: "The buyer has seen the key, so the unit can't go back on sale.",
    field: 'restockUnits',
  },
  RESTOCK_TOO_MANY: {
    status: 409,
    text: 'You can restock a unit once its full price is refunded.',
    field: 'restockUnits',
  },
  REFUND_ABOVE_SHIPPING: {
    status: 409,
    text: 'This is more than the shipping that is left to refund. Please enter a smaller amount.',
    field: 'amountCents',
  },
  REFUND_DIFFERS: {
    status: 409,
    text: 'This refund was already made with a different amount. Please reload the page and try again.',
  },
  REFUND_REFUSED: {
    status: 409,
    text: 'The bank declined this refund, so no money was sent. Please try again later, or pay your buyer another way.',
  },
  NOT_ANSWERABLE: { status: 409, text: "There's no open dispute to respond to." },
  BANK_UNREACHABLE: {
    status: 503,
    text: "We can't reach the bank right now, so nothing was sent. Please try again in a moment.",
  },
  ALREADY_REQUESTED: { status: 409, text: "You've already requested a refund. The seller has your request." },
  ASK_LATER: {
    status: 409,
    text: 'The seller declined your last request. You can ask again after three days. Until then, message the seller.',
  },
  ASKED_ENOUGH: { status: 409, text: "You've requested a refund three times. Please message the seller instead." },
  NOT_REQUESTED: { status: 409, text: 'This request was already answered.' },
  REFUNDED_OFTEN: {
    status: 409,
    text: 'This order was refunded 20 times already. You can refund the rest in one amount.',
    field: 'amountCents',
  },
  REFUND_NOT_COVERED: {
    status: 409,
    text: `You've already been paid for this order, and your available Stripe balance doesn't cover the refund. Try again in a few days, when money from recent sales is available, or write to ${brand.contact.support}.`,
  },
  FEES_NOT_COVERED: {
    status: 409,
    text: `With this refund, you would owe more than $500, because Stripe keeps the card fees of refunds. We deduct what you owe from your next payouts. To pay it by bank transfer instead, write to ${brand.contact.support}.`,
  },
} as const satisfies ErrorTable

export const refundError = /* @__PURE__ */ errorsFrom(refundErrors)

export const shippingErrors = {
  NOT_SHIPPABLE: { status: 409, text: "There's nothing to ship for this order right now." },
  ADDRESS_FIXED: {
    status: 409,
    text: "You can't change the address anymore. If your order is on its way, ask the carrier or message the seller.",
  },
  ADDRESS_OFTEN: {
    status: 409,
    text: "You've changed the address many times. Please message the seller instead.",
  },
  ADDRESS_INVALID: {
    status: 400,
    text: 'Please fill in name, country, street, city and postal code. A phone number looks like +1 555 555 0100.',
  },
  UNDO_OVER: {
    status: 409,
    text: 'The ten minutes have passed. You can still change the address until your order ships.',
  },
  ADDRESS_CHANGED: {
    status: 409,
    text: 'The buyer changed the address after you opened this page. Please reload it and check your label.',
  },
  NOT_LATE: { status: 409, text: "There's nothing to decide about this order right now." },
  DELAY_CHANGED: { status: 409, text: 'The seller has named another day. Please check it and answer again.' },
  BAD_NEW_DAY: {
    status: 400,
    text: 'Choose a day after today and after the promised day, and at most 60 days later.',
    field: 'day',
  },
  ALREADY_PROPOSED: {
    status: 409,
    text: "You've already named a new day, and your buyer has been asked. Please wait for the answer, or ship the order.",
  },
  TOO_MANY_ROWS: { status: 400, text: shippingTexts.longFile, field: 'csv' },
  NO_COLUMNS: {
    status: 400,
    text: 'The first line must name the columns: order, tracking_number and, if you like, carrier.',
    field: 'csv',
  },
  NOT_COMPLETABLE: { status: 409, text: "There's nothing to confirm for this order right now." },
  ADDRESS_COUNTRY: {
    status: 409,
    text: 'Shipping to that country costs a different amount. Please choose a country from the list, or message the seller.',
    field: 'country',
  },
} as const satisfies ErrorTable

export const shippingError = /* @__PURE__ */ errorsFrom(shippingErrors)

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
