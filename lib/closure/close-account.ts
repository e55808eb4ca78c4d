import 'server-only'
import type { User } from '@prisma/client'
import { lockUser } from '@/lib/accounts/lock-user'
import { scrubAccount } from '@/lib/accounts/scrub-account'
import { endSellerDrops } from '@/lib/drops/end-seller-drops'
import { type Context, transaction } from '@/lib/infra/context'
import { SECOND_MS } from '@/lib/kernel/time'
import { queueMail } from '@/lib/notifications/queue-mail'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { lockRefundsOfSeller } from '@/lib/refunds/assert-refund-covered'
import { lockUnfulfilledOrders, recordClosureRefunds, sendClosureRefunds } from '@/lib/refunds/refund-closed-accounts'
import { closeUpgrade } from '@/lib/subscriptions/close-upgrade'
import { accountClosedMail } from './mails'

/** The longest time that the response waits for Stripe. */
const ANSWER_MS = 5 * SECOND_MS

/**
 * Closes an account for its seller or an administrator (docs/product.md#closing-an-account). One transaction ends the
 * account's drops, records refunds of goods and services that were paid for but not sent or done, removes personal
 * data, and ends the sessions. Orders are kept. Afterwards, checkouts that are still unpaid are closed, the refunds are
 * sent, and the seller's own payment page for Pro is closed.
 * @param check decides whether closing is allowed, while the account's row is locked. It throws to refuse, and gets
 *   `null` when there is no such account.
 * @param alsoInside does further work in the same transaction, such as writing the audit row.
 */
export async function closeAccount(
  ctx: Context,
  userId: number,
  {
    check,
    alsoInside,
  }: { check: (user: User | null, tx: Context) => Promise<void> | void; alsoInside?: (tx: Context) => Promise<void> },
): Promise<void> {
  const refundIds = await transaction(ctx, async (tx) => {
    // The seller's own refunds must not use up what the platform pays in advance at the same moment.
    await lockRefundsOfSeller(tx, userId)
    await lockUser(tx, userId)
    const user = await tx.db.user.findFirst({ where: { id: userId, deletedAt: null } })
    await lockUnfulfilledOrders(tx, userId)
    // The drops end before the check. No new checkout can begin then, so no order is added after the check.
    if (user) await endSellerDrops(tx, userId)
    await check(user, tx)
    if (!user) return []
    const unsent = await recordClosureRefunds(tx, userId)
    await scrubAccount(tx, user, ctx.clock.now())
    await queueMail(tx, [accountClosedMail(user.email, user.id)])
    await alsoInside?.(tx)
    return unsent
  })
  // Stripe is called outside the transaction. The response waits at most ANSWER_MS for these calls, and they continue
  // after it. The sweep repeats what fails or what a stopped process leaves undone.
  const rest = closeOpenCheckouts(ctx, { sellerId: userId })
    .then(() => sendClosureRefunds(ctx, refundIds))
    .then(() => closeUpgrade(ctx, userId))
    .catch((error: unknown) =>
      ctx.log.error({ userId, cause: String(error) }, 'closing account: remaining work left to the sweep'),
    )
  await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))])
}
