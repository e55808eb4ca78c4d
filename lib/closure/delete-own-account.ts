import 'server-only'
import { assertOwnPassword, assertSteppedUp } from '@/lib/accounts/guards'
import { accountError } from '@/lib/accounts/messages'
import type { DeleteAccountInput } from '@/lib/accounts/schema'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { closeAccount } from './close-account'

/**
 * A seller deletes their own account (DECISIONS 37): with the name typed once more, the password, and the second factor
 * where there is one. Buyers come first: not while somebody has paid for what was not sent or done, or is paying for it. Administrators
 * do not delete themselves (DECISIONS 41).
 * @throws USERNAME_MISTYPED, WRONG_PASSWORD, STEP_UP_REQUIRED, ADMIN_PROTECTED, OPEN_ORDERS, OPEN_CHECKOUTS
 */
export async function deleteOwnAccount(ctx: Context<UserActor>, input: DeleteAccountInput): Promise<void> {
  const { userId, username } = ctx.actor
  if (input.username !== (username ?? '')) throw accountError('USERNAME_MISTYPED')
  await assertOwnPassword(ctx, input.password)
  assertSteppedUp(ctx)
  if (ctx.actor.isAdmin) throw accountError('ADMIN_PROTECTED')
  await assertNobodyWaits(ctx, userId, ['paid'])
  // Checkouts that are not paid yet end here; one that is being paid this moment keeps the account open below.
  await closeOpenCheckouts(ctx, { sellerId: userId })
  await closeAccount(ctx, userId, {
    check: async (user, tx) => {
      if (user?.isAdmin) throw accountError('ADMIN_PROTECTED')
      await assertNobodyWaits(tx, userId, ['paid', 'pending'])
    },
  })
}

/** In one statement, so that an order paid in between is not missed: it is either still open or paid by now. */
async function assertNobodyWaits(tx: Context, sellerId: number, statuses: ('paid' | 'pending')[]): Promise<void> {
  const waiting = await tx.db.order.findFirst({
    where: { sellerId, productType: { not: 'digital' }, status: { in: statuses } },
    orderBy: { paidAt: { sort: 'desc', nulls: 'last' } },
    select: { status: true },
  })
  if (waiting) throw accountError(waiting.status === 'paid' ? 'OPEN_ORDERS' : 'OPEN_CHECKOUTS')
}
