import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { endRun } from './end-run'
import { lockOwnDrop } from './guards'
import { dropError } from './messages'
import { getSellerDrop } from './queries'
import { isOver } from './rules'
import type { DropRow } from './view'

/**
 * Ends a drop early. The drop is archived right away, the 24 hours before a relaunch begin now, and a seller who has
 * not turned emails off gets a recap. Buyers who are paying may finish (docs/product.md#paid-too-late). Ending a
 * scheduled drop cancels its start, and no recap is emailed (docs/product.md#scheduled-start). During early access the
 * drop ends, and a recap is emailed if followers bought or are paying.
 * @throws NOT_FOUND, ENDED
 */
export async function endDrop(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<DropRow> {
  const sellerId = ctx.actor.userId
  await transaction(ctx, async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId })
    if (isOver(drop, drop.now)) throw dropError('ENDED')
    await endRun(tx, drop)
  })
  return getSellerDrop(ctx, dropId, sellerId)
}
