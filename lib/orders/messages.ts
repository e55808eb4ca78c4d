import { type AppError, errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'

export const orderTexts = {
  failedToStart: 'Failed to start checkout',
  badQuantity: 'You can buy 1 to 10 at a time.',
  paymentNotAvailableTitle: 'Payment Not Available',
  paymentNotAvailable: 'Payment processing is not yet configured. This will be available when the platform goes live.',
  checkoutErrorTitle: 'Checkout Error',
  failedToInitialize: 'Failed to initialize checkout. Please try again.',
  unknownVariants: 'This drop has no options to choose from.',
  holdOver: 'Your hold has ended and nothing was charged. While the drop is live you can start again.',
  holdOverUnclear: 'Your hold has ended, and we could not hear whether your payment went through.',
  noAnswer: 'We could not hear whether your payment went through. Press Pay again: you cannot be charged twice.',
  refundPending: 'The bank still has to confirm it. We try again by ourselves and tell your buyer when it is through.',
  restockHint: 'While the drop is live. A unit can go back once all of its price is refunded.',
  emptyFile: 'Choose a file, or paste its lines.',
  longFile: 'This file is too large. Please send at most 5,000 lines at once.',
  longStatement: 'Use at most 5,000 characters.',
  badRefund: 'Enter an amount of at least one cent.',
  yourMessage: 'Your message',
  sellerGone: `The seller has closed their account. Please write to ${brand.contact.support} instead.`,
  writeInstead: 'Write to the seller instead',
  emptyMessage: 'Write a few words first.',
  emptyAnswer: 'Tell your buyer why.',
  manyMessages: 'Those were many messages. Please wait a while before the next one.',
  longMessage: 'Use at most 2,000 characters.',
  badEmail: 'Please enter a valid email address.',
  linksSent: 'If there are orders with this address, a mail with their links is on its way.',
  successTitle: 'Payment Successful!',
  notPaidTitle: 'This order is not paid',
  notPaid: 'Nothing was charged. While the drop is live you can try again.',
  refundedTitle: 'We gave your money back',
  refunded:
    'No unit was left when your payment arrived. All of it is on its way back to your card; banks take 5 to 10 days.',
  confirmingTitle: 'Confirming your payment…',
  confirming: 'This usually takes a few seconds. You can leave this page open or come back to this link.',
} as const

const orderErrors = {
  NOT_FOUND: { status: 404, text: 'We cannot find this order.' },
  DROP_NOT_FOUND: { status: 404, text: "This drop may have expired or doesn't exist." },
  DROP_ENDED: { status: 409, text: 'This drop has ended' },
  DROP_PAUSED: { status: 409, text: 'This drop is paused right now.' },
  SOLD_OUT: { status: 409, text: 'Sold out. Every unit of this drop has been bought.' },
  ALL_IN_CHECKOUT: { status: 409, text: 'Every unit left is in checkout. One may come back in a few minutes.' },
  NOT_ENOUGH_LEFT: { status: 409, text: 'There are not that many units left.', field: 'quantity' },
  OWN_DROP: { status: 403, text: 'You cannot buy your own drop.' },
  PAYMENTS_OFF: { status: 503, text: orderTexts.paymentNotAvailable },
  STRIPE_AWAY: { status: 503, text: 'Failed to start checkout. Nothing was charged. Please try again.' },
  IN_LINE: { status: 503, text: 'Your unit is held. Opening checkout takes a moment. Please press again soon.' },
  TOO_MUCH_AT_ONCE: { status: 400, text: 'One payment can be $999,999.99 at most.', field: 'quantity' },
  NOT_SHIPPABLE: { status: 409, text: 'This order has nothing to ship right now.' },
  NOT_REFUNDABLE: { status: 409, text: 'There is nothing to refund on this order right now.' },
  DISPUTED: { status: 409, text: 'This payment is disputed. The bank decides; it cannot be refunded meanwhile.' },
  REFUND_TOO_LARGE: { status: 409, text: 'That is more than what is left to refund.', field: 'amountCents' },
  RESTOCK_TOO_MANY: {
    status: 409,
    text: 'A unit goes back on sale once all of its price is refunded.',
    field: 'restockUnits',
  },
  REFUND_DIFFERS: {
    status: 409,
    text: 'This refund was made with another amount. Please reload the page and try again.',
  },
  REFUND_REFUSED: { status: 409, text: 'The bank refused this refund. Nothing was sent.' },
  TOO_MANY_ROWS: { status: 400, text: orderTexts.longFile, field: 'csv' },
  NO_COLUMNS: {
    status: 400,
    text: 'The first line must name the columns: order, tracking_number and, if you like, carrier.',
    field: 'csv',
  },
  NOT_ANSWERABLE: { status: 409, text: 'There is no dispute here that waits for an answer.' },
  BANK_AWAY: {
    status: 503,
    text: 'The bank does not answer right now. Nothing was sent. Please try again in a moment.',
  },
  SELLER_GONE: { status: 409, text: orderTexts.sellerGone },
  ALREADY_REQUESTED: { status: 409, text: 'You have asked already. The seller has it.' },
  ASK_LATER: {
    status: 409,
    text: 'The seller has answered you. You can ask again three days after that; until then, write to the seller.',
  },
  ASKED_ENOUGH: { status: 409, text: 'You have asked three times. Please write to the seller instead.' },
  NOT_REQUESTED: { status: 409, text: 'This request has been answered already.' },
  NOT_COMPLETABLE: { status: 409, text: 'There is nothing to confirm on this order right now.' },
  NO_DOWNLOADS_LEFT: {
    status: 409,
    text: 'All downloads of this order are used. Write to the seller if you need another.',
  },
  LINK_EXPIRED: { status: 410, text: 'This link is no longer good. Get a new one on your order page.' },
} as const satisfies ErrorTable

export const orderError = /* @__PURE__ */ errorsFrom(orderErrors)

/** What a buyer reads who holds a unit and waits in line for the card page. */
export function waitText({ ahead, seconds }: { ahead: number; seconds: number }): string {
  const place = ahead > 0 ? ` ${ahead} ${ahead === 1 ? 'buyer is' : 'buyers are'} ahead of you.` : ''
  return `Your unit is held. Opening checkout, about ${seconds} s.${place}`
}

/** The same for a form without scripts, whose buyer has to press again. */
export const inLine = (wait: { ahead: number; seconds: number }): AppError =>
  orderError('IN_LINE', { text: `${waitText(wait)} Please press Buy again then.`, retryAfterSeconds: wait.seconds })

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
