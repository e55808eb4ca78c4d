import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { changeBalance, findBalanceChange } from './change-balance'

/**
 * Gives credit back to a seller, once per cause. A refund returns only what the card has paid for a bill. The credit
 * that the bill has used would otherwise be lost.
 */
export async function returnCredit(
  ctx: Context,
  customerId: string,
  { cause, cents }: { cause: string; cents: number },
): Promise<void> {
  if (cents <= 0 || (await findBalanceChange(ctx, customerId, cause))) return
  const description = 'Credit that has paid for nothing'
  await changeBalance(ctx, customerId, { cause, amount: -cents, description, key: 'returned-credit' })
}

/**
 * Returns how much credit a paid bill has used, in cents. An unpaid bill returns its credit itself when it is voided.
 */
export function usedCredit({ status, starting_balance, ending_balance }: Stripe.Invoice): number {
  if (status !== 'paid') return 0
  // Credit is a negative balance.
  return Math.max(0, (ending_balance ?? starting_balance) - starting_balance)
}
