import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { recordAudit } from '@/lib/platform/record-audit'
import { areKeysTaken, KEYS_TAKEN } from './are-keys-taken'
import { keyTexts } from './key-messages'
import { lockOwnDrop } from '../guards'
import { dropError } from '../messages'
import { getSellerDrop } from '../queries'
import { dropState } from '../rules'
import type { DropRow } from '../view'

/**
 * Records the first download of a run's keys, so that neither an administrator nor auto-renew puts the keys back on
 * sale.
 */
async function noteTaken(ctx: Context<UserActor>, { id, run }: DropRow, keys: number): Promise<void> {
  if (await areKeysTaken(ctx, id)) return
  await recordAudit(ctx, { action: KEYS_TAKEN, targetType: 'drop', targetId: id, after: { run, keys } })
}

/**
 * Lists the keys of an ended drop that no order has, in the sequence of the seller's list (docs/product.md#keys). The
 * next keys are left out while checkouts can still be paid that began before the end, because their payments get them.
 * That includes checkouts whose units went to other buyers (`yielded`). The drop is locked first, so that no payment
 * gets a listed key, and no administrator puts the keys back on sale, between the list and the note that it was taken.
 * @throws NOT_FOUND, even for a drop of another seller or without keys, and KEYS_ON_SALE before the end and while
 *   auto-renew is going to sell the keys
 */
export function listUnusedKeys(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<string[]> {
  return transaction(ctx, async (tx) => {
    const sellerId = tx.actor.userId
    await lockOwnDrop(tx, { dropId, sellerId })
    const drop = await getSellerDrop(tx, dropId, sellerId)
    if (!drop.keys) throw dropError('NOT_FOUND')
    if (dropState(drop, drop.now) !== 'ended') throw dropError('KEYS_ON_SALE')
    if (drop.returnsAt !== null) throw dropError('KEYS_ON_SALE', { text: keyTexts.onSaleAgain })
    const payable = await tx.db.hold.aggregate({
      where: { dropId, run: drop.run, state: 'released', reason: 'yielded' },
      _sum: { quantity: true },
    })
    const rows = await tx.db.dropKey.findMany({
      where: { dropId, orderId: null },
      orderBy: { id: 'asc' },
      skip: drop.held + (payable._sum.quantity ?? 0),
      select: { key: true },
    })
    if (rows.length > 0) await noteTaken(tx, drop, rows.length)
    return rows.map(({ key }) => key)
  })
}
