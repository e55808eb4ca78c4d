import 'server-only'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { isStripeMissing, paymentsMode, stripe } from '@/lib/infra/stripe'
import { payoutsPausedMail } from './mails'
import { payoutsStateOf, type PayoutsState } from './rules'

/**
 * Notes how far a seller's connected account is, as Stripe says now; never from an event. A pause is announced by email. An
 * account that Stripe does not know any more, because it was deleted, has withdrawn its authorisation or belongs to other
 * keys, is forgotten, so that the seller can connect again.
 */
export async function syncPayoutAccount(ctx: Context, sellerId: number): Promise<PayoutsState> {
  const { stripeAccountId, email, deletedAt } = await ctx.db.user.findUniqueOrThrow({ where: { id: sellerId } })
  if (!stripeAccountId || paymentsMode() === 'off') return 'notStarted'
  const where = { id: sellerId, stripeAccountId }
  try {
    const payoutsState = payoutsStateOf(await stripe().accounts.retrieve(stripeAccountId))
    await ctx.db.$transaction(async (tx) => {
      const now = ctx.clock.now()
      const { count } = await tx.user.updateMany({
        where: { ...where, payoutsState: { not: payoutsState } },
        data: { payoutsState },
      })
      if (payoutsState === 'ready') {
        await tx.user.updateMany({ where: { ...where, payoutsReadyAt: null }, data: { payoutsReadyAt: now } })
      }
      // Whoever noticed the change tells of it; everybody after finds nothing to change.
      if (payoutsState === 'paused' && count > 0 && !deletedAt) {
        const mail = payoutsPausedMail({ email }, `${sellerId}:${now.getTime()}`, env().appUrl)
        await tx.outboxMail.createMany({ data: [mail], skipDuplicates: true })
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
