import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'
import type { UserActor } from '@/lib/kernel/actor'
import { payoutError } from './messages'
import { syncPayoutAccount } from './sync-payout-account'

/**
 * The one next step of the seller's payouts: opens a connected account when there is none and leads to its onboarding,
 * or to its balance once it is ready.
 * @returns Stripe's page to go to; good for minutes, never to be kept.
 * @throws PAYMENTS_OFF, STRIPE_AWAY
 */
export async function connectPayouts(ctx: Context<UserActor>): Promise<string> {
  if (ctx.payments === 'off') throw payoutError('PAYMENTS_OFF')
  try {
    const state = await syncPayoutAccount(ctx, ctx.actor.userId)
    const account = await openAccount(ctx)
    if (state === 'ready') return (await ctx.stripe().accounts.createLoginLink(account)).url
    const { appUrl } = ctx
    const link = await ctx.stripe().accountLinks.create({
      account,
      type: 'account_onboarding',
      return_url: `${appUrl}/payouts?connected=1`,
      refresh_url: `${appUrl}/payouts?expired=1`,
    })
    return link.url
  } catch (error) {
    if (isStripeUnavailable(error)) throw payoutError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 5 })
    throw error
  }
}

/**
 * One account per seller, also when two taps race: the key is the seller's, and the first answer is kept. Stripe repeats a
 * refusal under its key for a day, so the next tap uses another key.
 */
async function openAccount(ctx: Context<UserActor>): Promise<string> {
  const id = ctx.actor.userId
  const seller = await ctx.db.user.findUniqueOrThrow({ where: { id } })
  if (seller.stripeAccountId) return seller.stripeAccountId
  const { stripeAccountTry } = seller
  const key = `account-${id}-${seller.createdAt.getTime()}-${stripeAccountTry}`
  const account = await onceKeyIsFree(() => createAccount(ctx, seller, key)).catch(async (error: unknown) => {
    if (isStripeDenial(error)) {
      await ctx.db.user.updateMany({ where: { id, stripeAccountTry }, data: { stripeAccountTry: { increment: 1 } } })
    }
    throw error
  })
  await ctx.db.user.updateMany({
    where: { id, stripeAccountId: null },
    data: { stripeAccountId: account.id, payoutsState: 'incomplete' },
  })
  const { stripeAccountId } = await ctx.db.user.findUniqueOrThrow({ where: { id } })
  return stripeAccountId ?? account.id
}

function createAccount(
  ctx: Context<UserActor>,
  { id, email }: { id: number; email: string },
  idempotencyKey: string,
): Promise<Stripe.Account> {
  return ctx.stripe().accounts.create(
    {
      email,
      controller: {
        fees: { payer: 'application' },
        losses: { payments: 'application' },
        stripe_dashboard: { type: 'express' },
      },
      // Stripe refuses transfers alone unless it has approved the platform for it; nobody charges cards on these accounts.
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
      metadata: { userId: String(id) },
    },
    { idempotencyKey },
  )
}
