/**
 * Whether Stripe's status of a dispute is that of an inquiry: the bank asks about a payment, no money moves, and a full
 * refund settles it (docs/stripe-rules.md, B4).
 */
export function isInquiry(status: string): boolean {
  return status.startsWith('warning_')
}
