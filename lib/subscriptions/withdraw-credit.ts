import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { changeBalance, findBalanceChange } from './change-balance'
import { returnCredit } from './return-credit'

/**
 * Takes back the credit that a seller has at Stripe when payments for Pro are returned. A switch from yearly to
 * monthly billing leaves a credit of up to a year, which would otherwise pay for Pro although its payment was returned.
 * Runs once per cause: a later purchase may leave a credit of its own, which belongs to the seller. Calls for two
 * causes at the same moment can both read the credit before one of them takes it. What the second one takes too much
 * would be charged with the next bill, so it is given back.
 * @param cause identifies why and when the credit is taken back: the time at which the seller asked for the money, or
 *   the id of a subscription whose payment is disputed
 * @param mostCents how much is taken back at most; everything by default
 */
export async function withdrawCredit(
  ctx: Context,
  customerId: string,
  cause: string,
  mostCents = Infinity,
): Promise<void> {
  const customer = await ctx.stripe().customers.retrieve(customerId)
  if (customer.deleted || customer.balance === 0 || mostCents === 0) return
  const known = await findBalanceChange(ctx, customerId, cause)
  // Credit is a negative balance.
  if (!known && customer.balance > 0) return
  const change = known ?? (await withdraw(ctx, customerId, cause, Math.min(-customer.balance, mostCents)))
  const cents = Math.min(change.amount, change.ending_balance)
  await returnCredit(ctx, customerId, { cause: `${cause} taken twice`, cents })
}

function withdraw(
  ctx: Context,
  customerId: string,
  cause: string,
  amount: number,
): Promise<Stripe.CustomerBalanceTransaction> {
  const description = 'Credit of a Pro plan whose payments were returned'
  return changeBalance(ctx, customerId, { cause, amount, description, key: 'withdrawn-credit' })
}
