import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { orderError } from './messages'
import { giveMissingKeys } from './give-missing-keys'
import { keySequence } from './key-sequence'
import { keptUnits } from './dispute-rules'
import { sentRefunds } from './refund-rules'
import { mayDownload } from './rules'

/**
 * Shows the buyer the keys of a paid order. From then on the keys are on the order page, and they never go back into
 * the pool. The buyer presses a button for this, because programs that scan emails open links by themselves. Units for
 * which a refund is pending get no key. The first view is recorded as evidence for a dispute. Repeating the call
 * changes nothing.
 * @throws NOT_FOUND for an unknown order, NO_KEYS_NOW unless the order is paid and has units with keys that are not
 *   refunded, NO_KEYS_LEFT when keys went back into the pool with a refund that the bank rejected, and were sold.
 */
export async function showKeys(ctx: Context, input: { token: string; userAgent: string }): Promise<void> {
  const { token } = input
  await transaction(ctx, async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "token" = ${token} FOR UPDATE`
    const order = await tx.db.order.findUnique({
      where: { token },
      include: {
        refunds: true,
        disputes: true,
        drop: { select: { keysGiven: true } },
        _count: { select: { keys: { where: { voidedAt: null } } } },
      },
    })
    if (!order) throw orderError('NOT_FOUND')
    const units = keptUnits(order, sentRefunds(order.refunds))
    if (order.drop.keysGiven === null || !mayDownload(order.status) || units === 0) throw orderError('NO_KEYS_NOW')
    if (order._count.keys < units) await giveMissingKeys(tx, order.id)
    const keys = await tx.db.dropKey.findMany({
      where: { orderId: order.id, voidedAt: null },
      orderBy: keySequence,
      take: units,
      select: { id: true },
    })
    if (keys.length === 0) throw orderError('NO_KEYS_LEFT')
    await tx.db.dropKey.updateMany({
      where: { id: { in: keys.map(({ id }) => id) }, shownAt: null },
      data: { shownAt: tx.clock.now(), shownIp: ctx.ip, shownAgent: input.userAgent.slice(0, 300) },
    })
  })
}
