/** The fields of a dispute at Stripe that decide how it counts. */
type DisputeFacts = { status: string; balance_transactions: readonly { amount: number }[] }

/**
 * Returns how a dispute counts here, given Stripe's status. Stripe calls a dispute `prevented` when the card network
 * has ended it before it began: either by blocking it, so that no money moves, or by paying the cardholder back. In the
 * second case the platform has lost the money, so the dispute counts as lost. The movements of money decide, because
 * Stripe does not document how it takes the money (docs/stripe-rules.md, D6). If it makes a refund for that, the refund
 * counts like any other.
 */
export function statusOfDispute({ status, balance_transactions }: DisputeFacts): string {
  const movedCents = balance_transactions.reduce((sum, { amount }) => sum + amount, 0)
  return status === 'prevented' && movedCents < 0 ? 'lost' : status
}
