import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { queueMail } from '@/lib/notifications/queue-mail'
import { payoutsPausedMail } from './mails'
import { payoutsStateOf, type PayoutsState } from './rules'

/**
 * Records the state of a seller's connected account as Stripe reports it now, never from an event. The seller is
 * emailed when payouts are paused. An account that Stripe no longer knows (deleted, authorisation withdrawn, or made
 * under other keys) is removed, so that the seller can connect again.
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
      // Only the call that changed the row sends the email; later calls find nothing to change.
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
