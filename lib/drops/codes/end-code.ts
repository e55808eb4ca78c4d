import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { findCode } from './code-queries'
import type { DiscountCodeRow } from './code-view'
import { setChangedAt } from './create-code'
import { lockOwnDrop } from '../guards'
import { dropError } from '../messages'

/**
 * Ends a discount code early. Buyers who are already paying with this code keep the lower price
 * (docs/product.md#discount-codes). A code that its seller has ended before keeps the time of that end.
 * @throws NOT_FOUND, CODE_NOT_FOUND
 */
export async function endCode(
  ctx: Context<UserActor>,
  { dropId, codeId }: { dropId: number; codeId: number },
): Promise<DiscountCodeRow> {
  return transaction(ctx, async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId: ctx.actor.userId })
    const known = await tx.db.discountCode.findFirst({ where: { id: codeId, dropId } })
    if (!known) throw dropError('CODE_NOT_FOUND')
    await tx.db.discountCode.updateMany({ where: { id: codeId, endedAt: null }, data: { endedAt: drop.now } })
    await setChangedAt(tx, dropId, drop.now)
    return (await findCode(tx, dropId, known.code))!
  })
}
