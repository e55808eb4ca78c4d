import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { lockHoldAndOrder } from '@/lib/orders/guards'
import { adoptLateTransfers, leaseLateSearches } from '@/lib/payouts/adopt-late-transfers'
import { settleOrderPayout } from '@/lib/payouts/record-deduction'
import { bookDeduction } from './book-deduction'

/**
 * Searches Stripe for requests for payouts that it has carried out after they had failed, and after the payout was
 * given up because its order was refunded or disputed. Any excess that the seller then has is taken back. Without this,
 * the seller would keep money of a refunded order. An open dispute is deducted only from a payout that has left, so the
 * deduction is also recorded anew for a payout that was given up: its seller sees that it waits for the bank.
 * @throws Stripe's error when Stripe is not available, after the other payouts were searched
 */
export async function followLateTransfers(ctx: Context): Promise<void> {
  if (ctx.payments === 'off') return
  await eachUntilOutage(await leaseLateSearches(ctx), async ({ id, orderId }) => {
    try {
      await adoptLateTransfers(ctx, id)
    } catch (error) {
      ctx.log.error({ orderId, cause: String(error) }, 'Stripe was not searched for a late transfer')
      if (isStripeUnavailable(error)) throw error
    } finally {
      await transaction(ctx, async (tx) => {
        await lockHoldAndOrder(tx, orderId)
        await bookDeduction(tx, await tx.db.order.findUniqueOrThrow({ where: { id: orderId } }))
      })
      await settleOrderPayout(ctx, orderId)
    }
  })
}
