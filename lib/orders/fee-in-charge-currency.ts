import 'server-only'
import type Stripe from 'stripe'

/**
 * The fee of a payment or a dispute in the currency that the buyer paid in. Stripe states the fee in the currency in
 * which it settles the payment, with the exchange rate between the two. A fraction of a cent is rounded up, because
 * Stripe has already kept it.
 * @returns cents; null when there is no rate.
 */
export function feeInChargeCurrency(
  balance: Pick<Stripe.BalanceTransaction, 'fee' | 'currency' | 'exchange_rate'>,
  chargeCurrency: string,
): number | null {
  if (balance.currency === chargeCurrency) return balance.fee
  return balance.exchange_rate ? Math.ceil(balance.fee / balance.exchange_rate) : null
}
