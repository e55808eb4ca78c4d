import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { accountError } from '@/lib/accounts/messages'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { recordAudit } from '@/lib/platform/record-audit'
import { closeAccount } from './close-account'

/**
 * Deletes another user's account for an administrator. The accounts of administrators cannot be deleted, so that at
 * least one administrator always remains (docs/product.md#removing-drops-and-accounts).
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED, ACCOUNT_NOT_FOUND, ADMIN_PROTECTED
 */
export async function removeAccount(ctx: Context<UserActor>, userId: number): Promise<void> {
  assertSteppedUp(ctx)
  await closeAccount(ctx, userId, {
    check: (user) => {
      if (!user) throw accountError('ACCOUNT_NOT_FOUND')
      if (user.isAdmin || user.id === ctx.actor.userId) throw accountError('ADMIN_PROTECTED')
    },
    alsoInside: (tx) =>
      recordAudit(tx, {
        action: 'user.delete',
        targetType: 'user',
        targetId: userId,
        before: { isDeleted: false },
        after: { isDeleted: true },
      }),
  })
}
