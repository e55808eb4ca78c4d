import 'server-only'
import { assertOwnPassword, assertSteppedUp } from '@/lib/accounts/guards'
import { accountError } from '@/lib/accounts/messages'
import type { DeleteAccountInput } from '@/lib/accounts/schema'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { closeAccount } from './close-account'

/**
 * Deletes a seller's own account (docs/product.md#closing-an-account). It needs the username typed again, the password,
 * and the second factor where there is one. It is refused while a buyer is paying for a physical product or a service, or
 * has paid for one that was not sent or done yet. Administrators cannot delete themselves.
 * @throws USERNAME_MISTYPED, WRONG_PASSWORD, STEP_UP_REQUIRED, ADMIN_PROTECTED, OPEN_ORDERS, OPEN_CHECKOUTS
 */
export async function deleteOwnAccount(ctx: Context<UserActor>, input: DeleteAccountInput): Promise<void> {
  const { userId, username } = ctx.actor
  if (input.username !== (username ?? '')) throw accountError('USERNAME_MISTYPED')
  await assertOwnPassword(ctx, input.password)
  assertSteppedUp(ctx)
  if (ctx.actor.isAdmin) throw accountError('ADMIN_PROTECTED')
  await assertNobodyWaits(ctx, userId, ['paid'])
  // Closes unpaid checkouts; one that is being paid at this moment makes the check below refuse.
  await closeOpenCheckouts(ctx, { sellerId: userId })
  await closeAccount(ctx, userId, {
    check: async (user, tx) => {
      if (user?.isAdmin) throw accountError('ADMIN_PROTECTED')
      await assertNobodyWaits(tx, userId, ['paid', 'pending'])
    },
  })
}

/**
 * Refuses while a buyer waits. One statement reads both states, so that an order paid in between is not missed: it
 * counts either as open or as paid.
 */
async function assertNobodyWaits(tx: Context, sellerId: number, statuses: ('paid' | 'pending')[]): Promise<void> {
  const waiting = await tx.db.order.findFirst({
    where: { sellerId, productType: { not: 'digital' }, status: { in: statuses } },
    orderBy: { paidAt: { sort: 'desc', nulls: 'last' } },
    select: { status: true },
  })
  if (waiting) throw accountError(waiting.status === 'paid' ? 'OPEN_ORDERS' : 'OPEN_CHECKOUTS')
}
