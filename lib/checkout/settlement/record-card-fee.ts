import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { recordNetPayout } from '@/lib/payouts/record-net-payout'
import { bookDeduction } from '@/lib/refunds/book-deduction'
import { lockOrderOnly } from '@/lib/orders/guards'

export type CardFee = {
  orderId: string
  cardFeeCents: number
  /** The currency that Stripe settled the payment in. */
  settlementCurrency: string | null
  /** The payout less the card fee. */
  netPayoutCents: number
}

/**
 * Records the card fee once and reduces the payout by it. The deductions for refunds are recalculated from the reduced
 * payout in the same transaction. If the payout was sent already, settlePayout() reverses the fee.
 */
export async function recordCardFee(ctx: Context, fee: CardFee): Promise<void> {
  const { orderId, cardFeeCents, settlementCurrency, netPayoutCents } = fee
  await transaction(ctx, async (tx) => {
    await lockOrderOnly(tx, orderId)
    const { count } = await tx.db.order.updateMany({
      where: { id: orderId, cardFeeCents: null },
      data: { cardFeeCents, settlementCurrency },
    })
    if (count === 0) return
    await recordNetPayout(tx, { orderId, netPayoutCents })
    await bookDeduction(tx, await tx.db.order.findUniqueOrThrow({ where: { id: orderId } }))
  })
}
