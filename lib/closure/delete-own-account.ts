import 'server-only'
import { assertOwnPassword, assertSteppedUp } from '@/lib/accounts/guards'
import { assertStillSignedIn } from '@/lib/accounts/lock-own-account'
import { accountError, accountTexts } from '@/lib/accounts/messages'
import type { DeleteAccountInput } from '@/lib/accounts/schema'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { formatUsd } from '@/lib/kernel/money'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { readWaitingCents } from '@/lib/payouts/read-waiting-cents'
import { closeAccount } from './close-account'

/**
 * The largest debt, and the most money that cannot be paid out, that do not stop a seller from leaving, in cents. The
 * number is ours. Without it, a seller who owes the card fee of one refund and sells nothing anymore could never delete
 * the account. Nobody gains anything by leaving such a debt on purpose, because the money went to Stripe.
 */
const MOST_LEFT_CENTS = 500

/**
 * Deletes a seller's own account (docs/product.md#closing-an-account). The seller must type the username and the
 * password again, and must have entered the second factor recently if the account has one. Deletion is refused while a
 * buyer is paying for a physical product or a service, while one that was paid for has not been sent or done, while a
 * bank decides about any order, while the seller owes more than $5, while more than that cannot be paid out because
 * payouts are not ready, while payouts are on hold, and while a new payout account waits for its first money (ADR
 * 0069). Administrators cannot delete themselves. Unpaid checkouts are closed, even if the deletion is then refused.
 * @throws USERNAME_MISTYPED, WRONG_PASSWORD, TOO_MANY_REQUESTS, TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED,
 *   ADMIN_PROTECTED, OPEN_ORDERS, OPEN_DISPUTE, MONEY_OWED, MONEY_WAITING, NEW_PAYOUTS, PAYOUTS_STOPPED,
 *   OPEN_CHECKOUTS, NOT_SIGNED_IN
 */
export async function deleteOwnAccount(ctx: Context<UserActor>, input: DeleteAccountInput): Promise<void> {
  const { userId, username } = ctx.actor
  if (input.username !== (username ?? '')) throw accountError('USERNAME_MISTYPED')
  await assertOwnPassword(ctx, input.password)
  if (ctx.actor.isAdmin) throw accountError('ADMIN_PROTECTED')
  assertSteppedUp(ctx)
  await assertNobodyWaits(ctx, userId, ['paid'])
  await assertNothingOwed(ctx, userId)
  // Closes unpaid checkouts. A checkout that is being paid at this moment stays open, and the check below then refuses
  // the deletion unless the product is digital.
  await closeOpenCheckouts(ctx, { sellerId: userId })
  await closeAccount(ctx, userId, {
    check: async (user, tx) => {
      // Closing the checkouts may take seconds, in which the owner may have taken the account back from a thief.
      if (user) await assertStillSignedIn(tx, ctx.actor)
      if (user?.isAdmin) throw accountError('ADMIN_PROTECTED')
      // Deleting the account would end the link with which the owner can still undo the connection.
      if (user?.payoutsHeldUntil && user.payoutsHeldUntil > tx.clock.now()) throw accountError('NEW_PAYOUTS')
      // Nobody could extend or release the hold of a closed account.
      if (user?.payoutsStoppedUntil && user.payoutsStoppedUntil > tx.clock.now()) throw accountError('PAYOUTS_STOPPED')
      await assertNobodyWaits(tx, userId, ['paid', 'pending'])
      await assertNothingOwed(tx, userId)
      if (user?.payoutsState !== 'ready') await assertMoneyIsPayable(tx, userId)
    },
  })
}

/**
 * Throws if an order of a physical product or a service has one of these states. One statement reads all states, so
 * that it does not miss an order that is paid meanwhile: the order counts either as open or as paid. An order that was
 * not sent counts as paid while the bank decides about a dispute, because it is paid again if the seller wins.
 */
async function assertNobodyWaits(tx: Context, sellerId: number, statuses: ('paid' | 'pending')[]): Promise<void> {
  const waiting = await tx.db.order.findFirst({
    where: {
      sellerId,
      productType: { not: 'digital' },
      OR: [
        { status: { in: statuses } },
        { status: 'disputed', shippedAt: null, deliveredAt: null, disputes: { some: { closedAt: null } } },
      ],
    },
    orderBy: { paidAt: { sort: 'desc', nulls: 'last' } },
    select: { status: true },
  })
  if (waiting) throw accountError(waiting.status === 'pending' ? 'OPEN_CHECKOUTS' : 'OPEN_ORDERS')
}

/**
 * Throws if the bank still decides about an order of any type, or if the seller has not paid back what refunds and
 * lost disputes have cost, except for a small rest. Otherwise a seller could leave the debt behind and start again
 * with a new account. A refund that the bank has not confirmed counts, because it may become a debt.
 */
async function assertNothingOwed(tx: Context, sellerId: number): Promise<void> {
  const open = await tx.db.dispute.findFirst({ where: { closedAt: null, order: { sellerId } }, select: { id: true } })
  if (open) throw accountError('OPEN_DISPUTE')
  const cents = await readUncoveredCents(tx, sellerId)
  if (cents > MOST_LEFT_CENTS) throw accountError('MONEY_OWED', { text: accountTexts.moneyOwed(formatUsd(cents)) })
}

/**
 * Throws if earned money waits for payouts that are not ready. Only the seller can finish setting them up, and nobody
 * can sign in to a closed account.
 */
async function assertMoneyIsPayable(tx: Context, sellerId: number): Promise<void> {
  const { all: cents } = await readWaitingCents(tx, sellerId)
  if (cents > MOST_LEFT_CENTS) {
    throw accountError('MONEY_WAITING', { text: accountTexts.moneyWaiting(formatUsd(cents)) })
  }
}
