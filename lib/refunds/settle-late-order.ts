import 'server-only'
import type { Context } from '@/lib/infra/context'
import { nextLateStep } from './next-late-step'
import { recordLateRefund } from './record-late-refund'

/**
 * Decides what follows once a refund of a late order has ended (nextLateStep()). Without this, the
 * buyer could get neither the rest of the money nor the goods. Call it with the order locked, in every transaction that
 * ends or removes a refund. The sweep sends the refund that it records.
 */
export async function settleLateOrder(tx: Context, orderId: string): Promise<void> {
  const order = await tx.db.order.findUniqueOrThrow({
    where: { id: orderId },
    include: { seller: true, refunds: true, delays: { orderBy: { id: 'desc' }, take: 1 } },
  })
  const step = nextLateStep(order, order.refunds)
  if (step === 'refund') await recordLateRefund(tx, order, order.delays[0]?.answer === 'refund')
  else if (step === 'reopen') await tx.db.order.update({ where: { id: orderId }, data: { lateRefundAt: null } })
}
