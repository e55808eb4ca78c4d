import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { queueMail } from '@/lib/notifications/queue-mail'
import { payoutsPausedMail } from './mails'
import { payoutsStateOf, type PayoutsState } from './rules'

/**
 * Notes how far a seller's connected account is, as Stripe says now; never from an event. A pause is announced by email. An
 * account that Stripe does not know any more, because it was deleted, has withdrawn its authorisation or belongs to other
 * keys, is forgotten, so that the seller can connect again.
 */
export async function syncPayoutAccount(ctx: Context, sellerId: number): Promise<PayoutsState> {
  const { stripeAccountId, email, deletedAt } = await ctx.db.user.findUniqueOrThrow({ where: { id: sellerId } })
  if (!stripeAccountId || ctx.payments === 'off') return 'notStarted'
  const where = { id: sellerId, stripeAccountId }
  try {
    const payoutsState = payoutsStateOf(await ctx.stripe().accounts.retrieve(stripeAccountId))
    await transaction(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { count } = await tx.db.user.updateMany({
        where: { ...where, payoutsState: { not: payoutsState } },
        data: { payoutsState },
      })
      if (payoutsState === 'ready') {
        await tx.db.user.updateMany({ where: { ...where, payoutsReadyAt: null }, data: { payoutsReadyAt: now } })
      }
      // Whoever noticed the change tells of it; everybody after finds nothing to change.
      if (payoutsState === 'paused' && count > 0 && !deletedAt) {
        const mail = payoutsPausedMail({ email }, `${sellerId}:${now.getTime()}`, ctx.appUrl)
        await queueMail(tx, [mail])
      }
    })
    return payoutsState
  } catch (error) {
    if (!isStripeMissing(error)) throw error
    await ctx.db.user.updateMany({
      where,
      data: { stripeAccountId: null, payoutsState: 'notStarted', stripeAccountTry: { increment: 1 } },
    })
    return 'notStarted'
  }
}
