import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { hideDrops } from '@/lib/drops/hide-drops'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { recordAudit } from '@/lib/platform/record-audit'
import { adminError } from './messages'
import { lockDrop } from './update-drop'

/**
 * Deletes a drop for an administrator. The drop ends and is hidden from its seller and the public, but its row stays
 * for its buyers and for accounting. Its unpaid checkouts are closed (docs/product.md#removing-drops-and-accounts). The
 * action `restore` of updateDrop() makes the drop visible again.
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED, DROP_NOT_FOUND
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
