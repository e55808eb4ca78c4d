import 'server-only'

/**
 * The reasons why a payment got no unit, as its refund stores them (docs/product.md#paid-too-late). The statement that
 * records payments has a parameter with each of these names.
 */
export const failedPurchaseReasons = {
  soldOut: 'no unit left',
  noKey: 'no key left',
  aboveLimit: 'above the limit per buyer',
  aboveCodeLimit: 'above the limit per buyer of the discount code',
  codeUsedUp: 'discount code used up',
  editionClosed: 'the edition has closed',
  beforeStart: 'released before the public start',
  offSale: 'not on sale anymore',
} as const
export type FailedPurchaseReason = (typeof failedPurchaseReasons)[keyof typeof failedPurchaseReasons]

/**
 * The reasons why a payment did not match its order and bought nothing, as its refund stores them. The address is
 * outside the country that shipping was paid for, or a parcel has no address to which anyone ships.
 */
export const mismatchReasons = {
  amount: 'the amount or currency paid was not that of the order',
  otherCountry: 'the address is not in the country of the order',
  unservedAddress: 'the address is missing or in a country that is not served',
} as const
export type MismatchReason = (typeof mismatchReasons)[keyof typeof mismatchReasons]

const notes: Record<FailedPurchaseReason, string> = {
  [failedPurchaseReasons.soldOut]: 'The last unit sold before the payment arrived',
  [failedPurchaseReasons.noKey]: 'No key was left when the payment arrived',
  [failedPurchaseReasons.aboveLimit]: 'The order was above the limit per buyer',
  [failedPurchaseReasons.aboveCodeLimit]: 'The order was above the limit per buyer of its code',
  [failedPurchaseReasons.codeUsedUp]: 'The code was used up when the payment arrived',
  [failedPurchaseReasons.editionClosed]: 'The edition had closed when the payment arrived',
  [failedPurchaseReasons.beforeStart]: 'The early reservation had expired when the payment arrived',
  [failedPurchaseReasons.offSale]: 'The drop was no longer on sale when the payment arrived',
}

/**
 * Returns the stored reason of a refund as one of failedPurchaseReasons. A refund that was stored before its reason had
 * a name of its own counts as sold out.
 */
export function failedPurchaseReasonOf(stored: string): FailedPurchaseReason {
  return Object.values(failedPurchaseReasons).find((reason) => reason === stored) ?? failedPurchaseReasons.soldOut
}

/** Returns what the history of an order says about the refund of a payment that got no unit. */
export function failedPurchaseNote(stored: string): string {
  return notes[failedPurchaseReasonOf(stored)]
}
