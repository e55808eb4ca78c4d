import 'server-only'
import { ABOVE_CODE_LIMIT, ABOVE_LIMIT, CODE_USED_UP } from './rules'

/**
 * The reasons, other than a limit per buyer or a used-up discount code, why a payment got no unit
 * (docs/product.md#paid-too-late).
 */
export const failedPurchaseReasons = {
  soldOut: 'no unit left',
  noKey: 'no key left',
  editionClosed: 'the edition has closed',
  beforeStart: 'released before the public start',
  offSale: 'not on sale anymore',
} as const
type FailedPurchaseReason = (typeof failedPurchaseReasons)[keyof typeof failedPurchaseReasons]

type FailedPurchaseText = {
  /** What the history of the order says. */
  note: string
  /** What the email to the buyer says, with the title of the drop. */
  why: (title: string) => string
}

const arrivedLate = (title: string) => `Your payment for ${title} arrived after your reservation had expired, and`

const failedPurchaseTexts: Record<FailedPurchaseReason, FailedPurchaseText> = {
  [failedPurchaseReasons.soldOut]: {
    note: 'The last unit sold before the payment arrived',
    why: (title) => `${arrivedLate(title)} every unit was already sold. We're sorry.`,
  },
  [failedPurchaseReasons.noKey]: {
    note: 'No key was left when the payment arrived',
    why: (title) => `When your payment for ${title} arrived, there was no key left for your order. We're sorry.`,
  },
  [failedPurchaseReasons.editionClosed]: {
    note: 'The edition had closed when the payment arrived',
    why: (title) =>
      `${arrivedLate(title)} the edition had closed. We don't sell any units after an edition closes, so that its total stays the same. We're sorry.`,
  },
  [failedPurchaseReasons.beforeStart]: {
    note: 'The early reservation had expired when the payment arrived',
    why: (title) => `${arrivedLate(title)} the drop hadn't started for everyone. You can buy again once it starts.`,
  },
  [failedPurchaseReasons.offSale]: {
    note: 'The drop was no longer on sale when the payment arrived',
    why: (title) => `${arrivedLate(title)} the drop was no longer on sale. We're sorry.`,
  },
}

/** Returns the texts about a payment that got no unit. Other reasons have emails of their own. */
export function failedPurchaseTextOf(reason: string): FailedPurchaseText {
  return failedPurchaseTexts[reason as FailedPurchaseReason] ?? failedPurchaseTexts[failedPurchaseReasons.soldOut]
}

const limitNotes: Record<string, string> = {
  [ABOVE_LIMIT]: 'The order was above the limit per buyer',
  [ABOVE_CODE_LIMIT]: 'The order was above the limit per buyer of its code',
  [CODE_USED_UP]: 'The code was used up when the payment arrived',
}

/** Returns what the history of an order says about the refund of a payment that bought nothing. */
export function failedPurchaseNote(reason: string): string {
  return limitNotes[reason] ?? failedPurchaseTextOf(reason).note
}
