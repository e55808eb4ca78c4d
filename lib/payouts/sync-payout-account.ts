import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { queueMail } from '@/lib/notifications/queue-mail'
import { compareStripeAccount, noteStripeAccount } from '@/lib/platform/note-stripe-account'
import { payoutsDisconnectedMail, payoutsPausedMail } from './mails'
import { payoutsStateOf, type PayoutsState } from './rules'

type Seller = {
  id: number
  email: string
  stripeAccountId: string
  payoutsState: PayoutsState
  payoutsReadyAt: Date | null
  deletedAt: Date | null
}

/**
 * Records the state of a seller's connected account and returns it. The state is read from Stripe now, and never from
 * an event. An account that Stripe no longer knows is removed from the seller, unless our keys belong to another
 * Stripe account or to the other mode, which knows none of our sellers. The seller is emailed when payouts are paused
 * or the account is no longer connected. While payments are off, nothing is read or recorded, and the result is
 * `notStarted` even for a seller whose account is ready.
 * @throws Stripe's errors, except that it no longer knows the account
 */
export async function syncPayoutAccount(ctx: Context, sellerId: number): Promise<PayoutsState> {
  const { stripeAccountId, ...seller } = await ctx.db.user.findUniqueOrThrow({ where: { id: sellerId } })
  if (!stripeAccountId || ctx.payments === 'off') {
    return seller.payoutsState === 'disconnected' ? 'disconnected' : 'notStarted'
  }
  const account = { ...seller, stripeAccountId }
  try {
    const payoutsState = payoutsStateOf(await ctx.stripe().accounts.retrieve(stripeAccountId))
    if (!(await recordState(ctx, account, payoutsState))) return await syncPayoutAccount(ctx, sellerId)
    await noteStripeAccount(ctx).catch((error: unknown) => {
      ctx.log.warn({ cause: String(error) }, 'the Stripe account of our keys could not be read or recorded')
    })
    return payoutsState
  } catch (error) {
    if (!isStripeMissing(error)) throw error
    if ((await compareStripeAccount(ctx)) === 'other') {
      ctx.log.error(
        "STRIPE_SECRET_KEY belongs to a different Stripe account or mode from before, which doesn't know our sellers",
      )
      throw error
    }
    return forgetAccount(ctx, account)
  }
}

/**
 * Records the state that was read from Stripe.
 * @param seller the seller's row as it was before the state was read
 * @returns false if another call has recorded a state since, which may be newer than this one
 */
async function recordState(ctx: Context, seller: Seller, payoutsState: PayoutsState): Promise<boolean> {
  const { id, stripeAccountId } = seller
  return transaction(ctx, async (tx) => {
    const now = ctx.clock.now()
    const where = { id, stripeAccountId }
    const isNew = payoutsState !== seller.payoutsState
    if (isNew) {
      const unchanged = { ...where, payoutsState: seller.payoutsState }
      const { count } = await tx.db.user.updateMany({ where: unchanged, data: { payoutsState } })
      if (count === 0) return false
    }
    if (payoutsState === 'ready') {
      await tx.db.user.updateMany({ where: { ...where, payoutsReadyAt: null }, data: { payoutsReadyAt: now } })
    }
    // Only the call that changed the row sends the email. Later calls find nothing to change.
    if (payoutsState === 'paused' && isNew && !seller.deletedAt) {
      await queueMail(tx, [payoutsPausedMail(seller, `${id}:${now.getTime()}`, ctx.appUrl)])
    }
    return true
  })
}

/**
 * Removes an account that Stripe no longer knows, so that the seller can connect again. Stripe no longer knows an
 * account that was deleted or whose authorization the seller withdrew.
 */
async function forgetAccount(ctx: Context, seller: Seller): Promise<PayoutsState> {
  const { id, stripeAccountId } = seller
  // A seller whose account was never ready for payouts has nothing to connect "again".
  const payoutsState = seller.payoutsReadyAt ? 'disconnected' : 'notStarted'
  await transaction(ctx, async (tx) => {
    const { count } = await tx.db.user.updateMany({
      where: { id, stripeAccountId },
      data: { stripeAccountId: null, payoutsState, stripeAccountTry: { increment: 1 } },
    })
    if (payoutsState === 'disconnected' && count > 0 && !seller.deletedAt) {
      await queueMail(tx, [payoutsDisconnectedMail(seller, `${id}:${stripeAccountId}`, ctx.appUrl)])
    }
  })
  return payoutsState
}
