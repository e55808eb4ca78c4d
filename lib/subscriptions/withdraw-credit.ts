import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Takes back the credit that a seller has at Stripe when payments for Pro are returned. A switch from yearly to
 * monthly billing leaves a credit of up to a year, which would otherwise pay for Pro although its payment was returned.
 * Runs once per cause: a later purchase may leave a credit of its own, which belongs to the seller.
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
  const { customers } = ctx.stripe()
  const customer = await customers.retrieve(customerId)
  // Credit is a negative balance.
  if (customer.deleted || customer.balance >= 0 || mostCents === 0) return
  const amount = Math.min(-customer.balance, mostCents)
  const changes = await customers.listBalanceTransactions(customerId, { limit: 100 })
  if (changes.data.some(({ metadata }) => metadata?.cause === cause)) return
  await customers.createBalanceTransaction(
    customerId,
    {
      amount,
      currency: 'usd',
      description: 'Credit of a Pro plan whose payments were returned',
      metadata: { cause },
    },
    { idempotencyKey: `withdrawn-credit-${customerId}-${cause}-${amount}` },
  )
}
