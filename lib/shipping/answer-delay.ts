import 'server-only'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { waitNotice } from './mails'
import { orderError } from '@/lib/orders/messages'
import { shippingError } from './messages'
import { lockLateOrder, refundLateOrder, sendLateRefund } from '@/lib/refunds/refund-late-order'
import type { AnswerDelayInput } from './schema'

/**
 * Records whether the buyer of a late order waits for the new day that the page showed, or wants a refund
 * (docs/product.md#late-parcels). The token from the link is the only permission needed. Repeating an answer changes
 * nothing.
 * @throws NOT_FOUND, NOT_LATE when there is no question or the order has shipped, DELAY_CHANGED when the seller has
 *   named another day since.
 */
export async function answerDelay(ctx: Context, { token, answer, day }: AnswerDelayInput): Promise<void> {
  const refundId = await transaction(ctx, async (tx) => {
    const late = await lockLateOrder(tx, { token })
    if (!late) {
      if (await wasAnswered(tx, { token, answer })) return null
      throw shippingError('NOT_LATE')
    }
    const { order, delay } = late
    if (answer === 'refund') return refundLateOrder(tx, order, delay, 'refund')
    if (dayOf(delay.newDay) !== day) throw shippingError('DELAY_CHANGED')
    await tx.db.shippingDelay.update({ where: { id: delay.id }, data: { answer, answeredAt: tx.clock.now() } })
    // The seller is reminded again before the new day.
    await tx.db.order.update({ where: { id: order.id }, data: { shipsBy: delay.newDay, shipNudgedAt: null } })
    await queueMail(tx, [waitNotice(order, order.seller, delay, tx.appUrl)])
    return null
  })
  if (refundId !== null) await sendLateRefund(ctx, refundId)
}

/** Whether the newest question of the order was already answered in this way. */
async function wasAnswered(
  tx: Context,
  { token, answer }: Pick<AnswerDelayInput, 'token' | 'answer'>,
): Promise<boolean> {
  const include = { delays: { orderBy: { id: 'desc' }, take: 1 } } as const
  const order = await tx.db.order.findUnique({ where: { token }, include })
  if (!order) throw orderError('NOT_FOUND')
  return order.delays[0]?.answer === answer
}
