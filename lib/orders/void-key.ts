import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { keySequence } from './key-sequence'
import { orderError } from './messages'
import { keptUnits } from './dispute-rules'
import { lockOrderOnly } from './guards'

/**
 * Marks a key as one that no longer works. Sellers do this with keys that a buyer has seen and whose price was refunded
 * or returned in a lost dispute (docs/product.md#keys). Repeating the call changes nothing.
 * @throws NOT_FOUND for an order of another seller, NOT_VOIDABLE for a key that the buyer has not seen or whose price
 *   was not paid back.
 */
export async function voidKey(
  ctx: Context<UserActor>,
  { orderId, keyId }: { orderId: string; keyId: number },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockOrderOnly(tx, orderId)
    const order = await tx.db.order.findFirst({
      where: { id: orderId, sellerId: ctx.actor.userId, paidAt: { not: null } },
      include: { disputes: true, keys: { orderBy: keySequence } },
    })
    if (!order) throw orderError('NOT_FOUND')
    const units = keptUnits(order)
    const key = order.keys.slice(units).find(({ id }) => id === keyId)
    if (!key?.shownAt) throw orderError('NOT_VOIDABLE')
    await tx.db.dropKey.updateMany({ where: { id: keyId, voidedAt: null }, data: { voidedAt: tx.clock.now() } })
  })
}
