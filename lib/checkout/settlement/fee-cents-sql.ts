import 'server-only'

/**
 * The SQL expression of the platform's fee for an amount, in cents, rounded half up (docs/product.md#fees). The result
 * must be the same as that of splitAmount() in lib/kernel/money.ts. Otherwise sellers would get a different payout from
 * the one that the form for a new drop shows.
 * @param amountCents an SQL expression for an amount in cents
 * @param feeBps an SQL expression for the fee in basis points: 500 is 5%
 */
export const feeCentsSql = (amountCents: string, feeBps: string) =>
  `((${amountCents}::bigint * ${feeBps} + 5000) / 10000)::int`
