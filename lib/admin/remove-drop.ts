import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { hideDrops } from '@/lib/drops/hide-drops'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { recordAudit } from '@/lib/platform/record-audit'
import { adminError } from './messages'
import { lockDrop } from './update-drop'

/**
 * An administrator deletes a drop: it ends, is hidden everywhere and is kept for its buyers and for accounting; unpaid
 * checkouts are closed (docs/product.md#removing-drops-and-accounts). `restore` brings it back.
 * @throws DROP_NOT_FOUND, STEP_UP_REQUIRED
 */
export async function removeDrop(ctx: Context<UserActor>, dropId: number): Promise<void> {
  assertSteppedUp(ctx)
  await transaction(ctx, async (tx) => {
    const { drop, now } = await lockDrop(tx, dropId)
    if (drop.hiddenAt) throw adminError('DROP_NOT_FOUND')
    await hideDrops(tx, [dropId])
    await recordAudit(tx, {
      action: 'drop.delete',
      targetType: 'drop',
      targetId: dropId,
      before: { isActive: drop.isActive, hiddenAt: null },
      after: { isActive: false, hiddenAt: now.toISOString() },
    })
  })
  await closeOpenCheckouts(ctx, { dropId })
}
