import 'server-only'
import type { User } from '@prisma/client'
import { scrubAccount } from '@/lib/accounts/scrub-account'
import { endSellerDrops } from '@/lib/drops/end-seller-drops'
import { type Context, transaction } from '@/lib/infra/context'
import { SECOND_MS } from '@/lib/kernel/time'
import { queueMail } from '@/lib/notifications/queue-mail'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { lockUnfulfilledOrders, recordClosureRefunds, sendClosureRefunds } from '@/lib/orders/refund-closed-accounts'
import { accountClosedMail } from './mails'

/** How long the answer waits for Stripe. */
const ANSWER_MS = 5 * SECOND_MS

/**
 * Closes an account for its seller or an administrator (docs/product.md#closing-an-account): ends its drops and
 * sessions, removes personal data, keeps orders, refunds what was paid for and never sent, and closes open checkouts
 * that are not paid by now. The caller decides in `check`, with the row locked, whether it is allowed.
 * @param check throws to refuse; gets `null` when there is no such account.
 * @param alsoInside work for the same transaction, such as the audit row.
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
    await tx.db.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId} FOR NO KEY UPDATE`
    const user = await tx.db.user.findFirst({ where: { id: userId, deletedAt: null } })
    await lockUnfulfilledOrders(tx, userId)
    // Runs before the check: from here on no new checkout can begin, so the orders that the check counts cannot grow.
    if (user) await endSellerDrops(tx, userId)
    await check(user, tx)
    if (!user) return []
    const unsent = await recordClosureRefunds(tx, userId)
    await scrubAccount(tx, user, ctx.clock.now())
    await queueMail(tx, [accountClosedMail(user.email, user.id)])
    await alsoInside?.(tx)
    return unsent
  })
  // Stripe is called outside the transaction. The answer waits for it only as long as a user would; the rest goes on after
  // the answer. The sweep does what fails, or what a stopped process leaves undone.
  const rest = closeOpenCheckouts(ctx, { sellerId: userId })
    .then(() => sendClosureRefunds(ctx, refundIds))
    .catch((error: unknown) => ctx.log.error({ userId, cause: String(error) }, 'left to the sweep'))
  await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))])
}
