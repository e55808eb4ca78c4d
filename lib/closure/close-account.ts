import 'server-only'
import type { User } from '@prisma/client'
import { scrubAccount } from '@/lib/accounts/scrub-account'
import { endSellerDrops } from '@/lib/drops/end-seller-drops'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { lockUnfulfilledOrders, recordClosureRefunds, sendClosureRefunds } from '@/lib/orders/refund-closed-accounts'
import { accountClosedMail } from './mails'

/**
 * Closes an account, whoever asks for it (DECISIONS 37, 41): drops end, sessions end, personal data goes, orders stay, what was
 * paid for and never sent is refunded, and open checkouts are closed unless they are paid by now. The caller decides who may, in
 * `check`, with the row locked.
 * @param check throws to refuse; `null` when there is no such account.
 * @param alsoInside what belongs into the same transaction, as the audit row.
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
    // Before the check: from here on nobody can begin to buy, so that what it counts cannot grow.
    if (user) await endSellerDrops(tx, userId)
    await check(user, tx)
    if (!user) return []
    const unsent = await recordClosureRefunds(tx, userId)
    await scrubAccount(tx, user, ctx.clock.now())
    await queueMail(tx, [accountClosedMail(user.email, user.id)])
    await alsoInside?.(tx)
    return unsent
  })
  // Stripe is asked outside the transaction; what fails here is closed by the sweep when its time is over.
  await closeOpenCheckouts(ctx, { sellerId: userId })
  await sendClosureRefunds(ctx, refundIds)
}
