import { type AppError, errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { cutText } from '@/lib/kernel/text'
import { formatUtc } from '@/lib/kernel/time'
import type { DropState } from '@/lib/drops/rules'

export const orderTexts = {
  failedToStart: 'Failed to start checkout',
  badQuantity: 'You can buy 1 to 10 at a time.',
  paymentNotAvailableTitle: 'Payment Not Available',
  paymentNotAvailable: 'Payment processing is not yet configured. This will be available when the platform goes live.',
  checkoutErrorTitle: 'Checkout Error',
  failedToInitialize: 'Failed to initialize checkout. Please try again.',
  unknownVariants: 'This drop has no options to choose from.',
  badVariants: 'A choice names the option and one of its values, such as {"Size": "M"}.',
  badCode: 'A discount code has 3 to 20 letters, digits or hyphens.',
  holdOver: "Your reservation expired and you weren't charged. You can start again while the drop is live.",
  holdOverUnclear: "Your reservation expired, and we don't know yet whether your payment went through.",
  noAnswer: "We lost the connection before your payment was confirmed. Tap Pay again. You can't be charged twice.",
  refundPending:
    "The bank hasn't confirmed the refund yet. We'll keep trying and email your buyer when it goes through.",
  restockHint: 'Units can be restocked while the drop is live, once their full price is refunded.',
  emptyFile: 'Choose a file or paste its lines.',
  longFile: 'This file is too large. Please send at most 5,000 lines at once.',
  longStatement: 'Use at most 5,000 characters.',
  badRefund: 'Enter an amount of at least one cent.',
  yourMessage: 'Your message',
  sellerGone: `The seller has closed their account. Please write to ${brand.contact.support} instead.`,
  writeInstead: 'Message the seller instead',
  emptyMessage: 'Please write a message first.',
  emptyAnswer: 'Please tell your buyer why.',
  manyMessages: "You've sent several messages. Try again in an hour.",
  longMessage: 'Use at most 2,000 characters.',
  badEmail: 'Please enter a valid email address.',
  linksSent: "If there are orders with this address, we've emailed you their links.",
  waitTitle: 'One moment, please',
  waitButton: 'Continue to payment',
  waitBack: 'Back to the drop',
  codeRefusedTitle: "This code can't be used",
  buyWithoutCode: 'Buy without the code',
  successTitle: 'Payment Successful!',
  notPaidTitle: "This order isn't paid",
  notPaid: "You weren't charged. You can try again while the drop is live.",
  refundedTitle: 'We refunded your payment',
  confirmingTitle: 'Confirming your payment…',
  confirming: 'This usually takes a few seconds. You can leave this page open or come back to it later.',
} as const

const orderErrors = {
  NOT_FOUND: { status: 404, text: "We can't find this order." },
  DROP_NOT_FOUND: { status: 404, text: "This drop may have expired or doesn't exist." },
  DROP_ENDED: { status: 409, text: 'This drop has ended' },
  DROP_SCHEDULED: { status: 409, text: "This drop hasn't started yet. Come back when it starts." },
  DROP_PAUSED: { status: 409, text: 'This drop is paused right now.' },
  SOLD_OUT: { status: 409, text: 'Sold out. Every unit of this drop has been bought.' },
  ALL_IN_CHECKOUT: {
    status: 409,
    text: "Every remaining unit is in someone's checkout. One may free up in a few minutes.",
  },
  WORK_NEEDED: { status: 429, text: 'Many people are buying this right now. Please try again in a moment.' },
  NO_OPTIONS: { status: 400, text: orderTexts.unknownVariants, field: 'selectedVariants' },
  OPTION_MISSING: { status: 400, text: 'Please choose an option of this drop.', field: 'selectedVariants' },
  OPTION_UNKNOWN: {
    status: 400,
    text: 'This drop has no such option. Please choose another.',
    field: 'selectedVariants',
  },
  OPTION_SOLD_OUT: { status: 409, text: 'Your choice is sold out.', field: 'selectedVariants' },
  OPTION_IN_CHECKOUT: {
    status: 409,
    text: "Every remaining unit of your choice is in someone's checkout. One may free up in a few minutes.",
    field: 'selectedVariants',
  },
  NOT_ENOUGH_LEFT: { status: 409, text: "There aren't that many units left.", field: 'quantity' },
  OWN_DROP: { status: 403, text: "You can't buy your own drop." },
  PAYMENTS_OFF: { status: 503, text: orderTexts.paymentNotAvailable },
  STRIPE_AWAY: { status: 503, text: "Failed to start checkout. You weren't charged. Please try again." },
  IN_LINE: {
    status: 503,
    text: "Your unit is reserved. We're opening checkout for you. Please press again in a moment.",
  },
  TOO_MUCH_AT_ONCE: { status: 400, text: 'One payment can be $999,999.99 at most.', field: 'quantity' },
  ABOVE_LIMIT: { status: 400, text: 'The seller has set a lower limit per buyer.', field: 'quantity' },
  CODE_UNKNOWN: { status: 400, text: "This code isn't one of this drop's codes.", field: 'code' },
  CODE_OTHER_DROP: { status: 400, text: 'This code is for another drop of this seller.', field: 'code' },
  CODE_ENDED: { status: 409, text: 'This code has ended.', field: 'code' },
  CODE_USED_UP: { status: 409, text: 'This code was used as often as it can be.', field: 'code' },
  TOO_MANY_CODES: {
    status: 429,
    text: "Too many codes that don't exist were tried. Please try again in an hour, or buy without a code.",
    field: 'code',
  },
  NOT_SHIPPABLE: { status: 409, text: "There's nothing to ship for this order right now." },
  NOT_REFUNDABLE: { status: 409, text: "There's nothing to refund on this order right now." },
  DISPUTED: { status: 409, text: "This payment is disputed, so it can't be refunded until the bank decides." },
  REFUND_TOO_LARGE: { status: 409, text: "That's more than you can still refund.", field: 'amountCents' },
  RESTOCK_TOO_MANY: {
    status: 409,
    text: 'A unit can be restocked once its full price is refunded.',
    field: 'restockUnits',
  },
  REFUND_DIFFERS: {
    status: 409,
    text: 'This refund was already made with a different amount. Please reload the page and try again.',
  },
  REFUND_REFUSED: { status: 409, text: 'The bank declined this refund. No money was sent.' },
  TOO_MANY_ROWS: { status: 400, text: orderTexts.longFile, field: 'csv' },
  NO_COLUMNS: {
    status: 400,
    text: 'The first line must name the columns: order, tracking_number and, if you like, carrier.',
    field: 'csv',
  },
  NOT_ANSWERABLE: { status: 409, text: "There's no open dispute to respond to." },
  BANK_AWAY: {
    status: 503,
    text: "We can't reach the bank right now, so nothing was sent. Please try again in a moment.",
  },
  SELLER_GONE: { status: 409, text: orderTexts.sellerGone },
  ALREADY_REQUESTED: { status: 409, text: "You've already requested a refund. The seller has your request." },
  ASK_LATER: {
    status: 409,
    text: 'The seller declined your last request. You can ask again after three days. Until then, message the seller.',
  },
  ASKED_ENOUGH: { status: 409, text: "You've requested a refund three times. Please message the seller instead." },
  NOT_REQUESTED: { status: 409, text: 'This request was already answered.' },
  NOT_COMPLETABLE: { status: 409, text: "There's nothing to confirm for this order right now." },
  NO_DOWNLOADS_LEFT: {
    status: 409,
    text: "You've used all downloads for this order. Message the seller if you need another.",
  },
  LINK_EXPIRED: { status: 410, text: 'This link has expired. Get a new one on your order page.' },
} as const satisfies ErrorTable

export const orderError = /* @__PURE__ */ errorsFrom(orderErrors)

/** Why a checkout could not be started when no answer came. */
export function startFailedText(isOnline: boolean): string {
  if (isOnline) return orderTexts.failedToStart
  return `${orderTexts.failedToStart}. You're offline and weren't charged. Try again when you're back online.`
}

/** The text for a buyer who has not chosen a value: "Please choose a Size." */
export function chooseOptionText(name: string): string {
  return `Please choose a ${name}.`
}

/** The text for a value or an option that the drop does not have. */
export function unknownValueText(value: string, name: string): string {
  return `This drop doesn't come in “${cutText(value, 40)}”. Please choose another ${name}.`
}

/** The texts that say why a value cannot be bought; each names the value. */
export function valueTexts(value: string) {
  return {
    soldOut: `${value} is sold out.`,
    inCheckout: `Every remaining ${value} is in someone's checkout. One may free up in a few minutes.`,
    left: (units: number) => `There ${units === 1 ? 'is' : 'are'} only ${units} of ${value} left.`,
  }
}

/** Why a discount code cannot be used, and what the buyer can do instead. */
export function codeProblemText(
  code: string,
  problem: 'unknown' | 'otherDrop' | 'ended' | 'tooLarge' | 'usedUp' | 'inCheckout',
): string {
  const why = {
    unknown: `“${code}” isn't one of this drop's codes. Please check the spelling`,
    otherDrop: `“${code}” is for another drop of this seller. Please use another code`,
    ended: `“${code}” has ended. Please use another code`,
    tooLarge: `“${code}” takes off more than the price of this drop allows. Please use another code`,
    usedUp: `“${code}” was used as often as it can be. Please use another code`,
    inCheckout: `Every remaining use of “${code}” is in someone's checkout. One may free up in a few minutes. Please try again then`,
  }[problem]
  return `${why}, or buy without a code. You weren't charged.`
}

/** What the page after paying says about a payment that was refunded at once. Only a buyer with a code reads about codes. */
export function refundedText({ discountCode }: { discountCode: string | null }): string {
  const gone = discountCode === null ? 'The last unit' : 'The last unit, or the last use of your discount code,'
  return `${gone} went to someone else before your payment arrived, or you already have as many as one buyer can get. We refunded you in full. It can take 5 to 10 days to appear on your card.`
}

/** What a discount code takes off, on receipts and in lists: "FRIENDS, −$4.80". */
export function discountText({ code, cents }: { code: string; cents: number }): string {
  return `${code}, −${formatUsd(cents)}`
}

/** What a buyer reads who holds a unit and waits in line for the card page. */
export function waitText({ ahead, seconds }: { ahead: number; seconds: number }): string {
  const place = ahead > 0 ? ` ${ahead} ${ahead === 1 ? 'buyer is' : 'buyers are'} ahead of you.` : ''
  return `Your unit is reserved. Opening checkout in about ${seconds} s.${place}`
}

/** The same for a form that was sent without JavaScript, where the buyer has to press again. */
export const inLine = (wait: { ahead: number; seconds: number }): AppError =>
  orderError('IN_LINE', { text: `${waitText(wait)} Please press Buy again then.`, retryAfterSeconds: wait.seconds })

/** The text for a refused form on the order page; null for a code that is not in the table of this domain. */
export function formProblem(code: string): string | null {
  if (code === 'INVALID_INPUT') return orderTexts.emptyMessage
  const table: ErrorTable = orderErrors
  return Object.hasOwn(table, code) ? (table[code]?.text ?? null) : null
}

/** What a buyer reads who wants more than the seller sells to one buyer. */
export function aboveLimitText(maxPerBuyer: number): string {
  return `The seller sells at most ${maxPerBuyer} to one buyer. Please choose fewer.`
}

/** What the waiting page says to a browser without JavaScript. */
export function workWaitText(seconds: number): string {
  return `Many people are buying this right now. Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then press the button.`
}

/** What a buyer reads who comes before the start of a drop; the time is in UTC, because the reader's zone is not known. */
export function notStartedText(startedAt: Date): string {
  return `This drop hasn't started yet. It starts ${formatUtc(startedAt)}. Reload the page then.`
}

/** Why a drop in this state cannot be bought; null when it can. */
export function stateRefusal(state: DropState): string | null {
  if (state === 'scheduled') return orderErrors.DROP_SCHEDULED.text
  if (state === 'ended') return orderErrors.DROP_ENDED.text
  if (state === 'paused') return orderErrors.DROP_PAUSED.text
  return state === 'soldOut' ? orderErrors.SOLD_OUT.text : null
}
