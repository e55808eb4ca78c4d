import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'

type Change = {
  /** Why and when the balance changes. It identifies the change, which is made once per cause. */
  cause: string
  /** The cents by which the balance changes. Credit is a negative balance, so a negative amount is a credit. */
  amount: number
  description: string
  /** The beginning of the idempotency key. */
  key: string
}

/** Returns the change of a customer's balance that was made for this cause; null if none was made. */
export async function findBalanceChange(
  ctx: Context,
  customerId: string,
  cause: string,
): Promise<Stripe.CustomerBalanceTransaction | null> {
  for await (const change of ctx.stripe().customers.listBalanceTransactions(customerId, { limit: 100 })) {
    if (change.metadata?.cause === cause) return change
  }
  return null
}

/**
 * Changes a customer's balance at Stripe. Simultaneous calls for one cause change it once. A later call must first look
 * for the change with findBalanceChange(), because Stripe may forget an idempotency key after a day.
 */
export function changeBalance(
  ctx: Context,
  customerId: string,
  { cause, amount, description, key }: Change,
): Promise<Stripe.CustomerBalanceTransaction> {
  return ctx
    .stripe()
    .customers.createBalanceTransaction(
      customerId,
      { amount, currency: 'usd', description, metadata: { cause } },
      { idempotencyKey: `${key}-${customerId}-${cause}-${amount}` },
    )
}
