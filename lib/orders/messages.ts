import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'

export const orderTexts = {
  failedToStart: 'Failed to start checkout',
  badQuantity: 'You can buy 1 to 10 at a time.',
  paymentNotAvailableTitle: 'Payment Not Available',
  paymentNotAvailable: 'Payment processing is not yet configured. This will be available when the platform goes live.',
  checkoutErrorTitle: 'Checkout Error',
  failedToInitialize: 'Failed to initialize checkout. Please try again.',
  unknownVariants: 'This drop has no options to choose from.',
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
  successTitle: 'Payment Successful!',
  notPaidTitle: "This order isn't paid",
  notPaid: "You weren't charged. You can try again while the drop is live.",
  refundedTitle: 'We refunded your payment',
  refunded:
    'The last unit sold before your payment arrived. We refunded you in full. It can take 5 to 10 days to appear on your card.',
  confirmingTitle: 'Confirming your payment…',
  confirming: 'This usually takes a few seconds. You can leave this page open or come back to it later.',
} as const

const orderErrors = {
  NOT_FOUND: { status: 404, text: "We can't find this order." },
  DROP_NOT_FOUND: { status: 404, text: "This drop may have expired or doesn't exist." },
  DROP_ENDED: { status: 409, text: 'This drop has ended' },
  DROP_PAUSED: { status: 409, text: 'This drop is paused right now.' },
  SOLD_OUT: { status: 409, text: 'Sold out. Every unit of this drop has been bought.' },
  ALL_IN_CHECKOUT: {
    status: 409,
    text: "Every remaining unit is in someone's checkout. One may free up in a few minutes.",
  },
  NOT_ENOUGH_LEFT: { status: 409, text: "There aren't that many units left.", field: 'quantity' },
  OWN_DROP: { status: 403, text: "You can't buy your own drop." },
  PAYMENTS_OFF: { status: 503, text: orderTexts.paymentNotAvailable },
  STRIPE_AWAY: { status: 503, text: "Failed to start checkout. You weren't charged. Please try again." },
  TOO_MUCH_AT_ONCE: { status: 400, text: 'One payment can be $999,999.99 at most.', field: 'quantity' },
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

/** The text for a refused form on the order page; null for a code that does not belong to it. */
export function formProblem(code: string): string | null {
  if (code === 'INVALID_INPUT') return orderTexts.emptyMessage
  const table: ErrorTable = orderErrors
  return Object.hasOwn(table, code) ? (table[code]?.text ?? null) : null
}

/** Why a drop in this state cannot be bought; null when it can. */
export function stateRefusal(state: 'live' | 'soldOut' | 'ended' | 'paused'): string | null {
  if (state === 'ended') return orderErrors.DROP_ENDED.text
  if (state === 'paused') return orderErrors.DROP_PAUSED.text
  return state === 'soldOut' ? orderErrors.SOLD_OUT.text : null
}
