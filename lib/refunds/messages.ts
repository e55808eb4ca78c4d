import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'

const restockNumbered = "The number of a refunded unit is retired, so the unit can't go back on sale."
const restockShown = "The buyer has seen the key, so the unit can't go back on sale."

export const refundTexts = {
  refundPending:
    "The bank hasn't confirmed the refund yet. We'll keep trying and email your buyer when it goes through.",
  restockNumbered,
  restockShown,
  refundsShipping: 'This refunds shipping only',
  refundsShippingHint: "It doesn't refund a unit. The buyer keeps every unit and its number.",
  restockHint: 'You can restock units while the drop is live, once their full price is refunded.',
  longStatement: 'Use at most 5,000 characters.',
  badRefund: 'Enter an amount of at least one cent.',
  emptyAnswer: 'Please tell your buyer why.',
} as const

/** The texts about recording a refund that was paid to the buyer outside of Stripe. */
export const handRefundTexts = {
  badReference: 'Enter the reference of the payment, on one line and at most 100 characters long.',
  owed: (amount: string, buyer: string) =>
    `Stripe couldn't make this refund, and ${buyer} is still owed ${amount}. First pay this amount in another way, for example by bank transfer. Then record it here. You can't change this later.`,
  recorded: 'Refund recorded',
} as const

export const refundErrors = {
  NO_FAILED_REFUND: {
    status: 409,
    text: "This order has no failed refund to pay manually, so don't pay now. Please reload the page.",
    field: 'reference',
  },
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
    text: restockShown,
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
    text: `With this refund, you'd owe more than $500, because Stripe keeps the card fees of refunds. We deduct what you owe from your next payouts. To pay it by bank transfer instead, write to ${brand.contact.support}.`,
  },
} as const satisfies ErrorTable

export const refundError = /* @__PURE__ */ errorsFrom(refundErrors)

/** Returns the paragraphs about the units that went back on sale, in the seller's email about a rejected refund. */
export function unitsAgainTexts({ taken, missing }: { taken: number; missing: number }): string[] {
  const texts: string[] = []
  if (taken > 0) {
    const units = taken === 1 ? 'The unit' : `The ${taken} units`
    texts.push(`${units} that went back on sale with this refund ${taken === 1 ? 'is' : 'are'} off sale again.`)
  }
  if (missing > 0) {
    const units = missing === 1 ? 'One unit' : `${missing} units`
    texts.push(
      `${units} that went back on sale with this refund may have been sold again. Please check whether you can still send this order.`,
    )
  }
  return texts
}

/** Returns the paragraphs about the order's keys in the seller's email about a refund that the bank rejected. */
export function keysAgainTexts(keys: { given: number; restored: number; wereDownloaded?: boolean }): string[] {
  const { given, restored, wereDownloaded = false } = keys
  const texts: string[] = []
  if (given > 0) {
    texts.push(
      given === 1
        ? 'The order is valid again, so we gave it another key in place of the one it lost.'
        : `The order is valid again, so we gave it ${given} other keys in place of the ones it lost.`,
    )
  }
  if (wereDownloaded) {
    texts.push(
      given === 1
        ? 'That key was in the file of unused keys that you downloaded. If you have used it elsewhere, please send your buyer another one.'
        : 'Those keys were in the file of unused keys that you downloaded. If you have used any of them elsewhere, please send your buyer others.',
    )
  }
  if (restored > 0) {
    texts.push(
      restored === 1
        ? 'We have no other key left for this order, so its old key is valid again. If you turned that key off, please turn it back on in your system, or send your buyer another one.'
        : `We have no other keys left for this order, so ${restored} of its old keys are valid again. If you turned them off, please turn them back on in your system, or send your buyer others.`,
    )
  }
  return texts
}
