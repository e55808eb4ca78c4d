import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Takes back the credit that a seller has at Stripe when all payments for Pro are refunded. A switch from yearly to
 * monthly billing leaves a credit of up to a year, which would otherwise pay for Pro although its payment was returned.
 * Runs once per money-back request: a later purchase may leave a credit of its own, which belongs to the seller.
 * @param moneyBackAt when the seller asked for the money, which identifies the request
 */
export async function withdrawCredit(ctx: Context, customerId: string, moneyBackAt: Date): Promise<void> {
  const moneyBack = moneyBackAt.toISOString()
  const { customers } = ctx.stripe()
  const changes = await customers.listBalanceTransactions(customerId, { limit: 100 })
  if (changes.data.some(({ metadata }) => metadata?.moneyBack === moneyBack)) return
  const customer = await customers.retrieve(customerId)
  // Credit is a negative balance.
  if (customer.deleted || customer.balance >= 0) return
  await customers.createBalanceTransaction(
    customerId,
    {
      amount: -customer.balance,
      currency: 'usd',
      description: 'Credit of a Pro plan whose payments were refunded',
      metadata: { moneyBack },
    },
    { idempotencyKey: `money-back-credit-${customerId}-${moneyBack}` },
  )
}
