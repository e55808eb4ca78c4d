import 'server-only'
import { lockUser } from '@/lib/accounts/lock-user'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { changePlan } from './change-plan'
import { proEndedMail } from './mails'

/**
 * Ends the plan of a user whose customer was deleted at Stripe. Stripe has then ended the subscription as well, so the
 * seller pays nothing, and may buy Pro again with a new customer.
 */
export async function endForgottenPlan(ctx: Context, userId: number): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockUser(tx, userId)
    const user = await tx.db.user.findUniqueOrThrow({ where: { id: userId }, include: { subscription: true } })
    const before = user.subscription
    if (!before || before.status === 'canceled') return
    await tx.db.subscription.update({
      where: { userId },
      data: { status: 'canceled', isEntitled: false, graceUntil: null, version: { increment: 1 } },
    })
    if (user.deletedAt || !before.isEntitled) return
    await changePlan(tx, user, false)
    await queueMail(tx, [proEndedMail(user, before.stripeSubscriptionId, tx.appUrl)])
  })
}
