/**
 * Whether a dispute with this status at Stripe is an inquiry: the bank asks about a payment, no money moves, and a full
 * refund settles the inquiry (docs/stripe-rules.md, B4).
 */
export function isInquiry(status: string): boolean {
  return status.startsWith('warning_')
}
