import 'server-only'
import type Stripe from 'stripe'
import { assertOwner } from '@/lib/accounts/guards'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'
import type { UserActor } from '@/lib/kernel/actor'
import { payoutError } from './messages'
import type { PayoutCountry } from './rules'
import type { ConnectPayoutsInput } from './schema'
import { syncPayoutAccount } from './sync-payout-account'

/**
 * Takes the seller to the next step of their payouts: creates a connected account if there is none and opens its
 * onboarding, or its balance once it is ready.
 * @param country of a new account, by default the platform's. Stripe never changes it.
 * @returns the address of a Stripe page; it is valid for minutes and must not be stored.
 * @throws PROOF_REQUIRED, WRONG_PASSWORD, PAYMENTS_OFF, STRIPE_AWAY
 */
export async function connectPayouts(
  ctx: Context<UserActor>,
  { country, password }: ConnectPayoutsInput = {},
): Promise<string> {
  await assertOwner(ctx, password)
  if (ctx.payments === 'off') throw payoutError('PAYMENTS_OFF')
  try {
    const state = await syncPayoutAccount(ctx, ctx.actor.userId)
    const account = await openAccount(ctx, country)
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
 * One account per seller, even when two requests race: the idempotency key belongs to the seller, and Stripe repeats
 * the first answer. Stripe also repeats a refusal for a day, so the next attempt uses another key.
 */
async function openAccount(ctx: Context<UserActor>, country: PayoutCountry | undefined): Promise<string> {
  const id = ctx.actor.userId
  const seller = await ctx.db.user.findUniqueOrThrow({ where: { id } })
  if (seller.stripeAccountId) return seller.stripeAccountId
  const { stripeAccountTry } = seller
  // Stripe refuses a key with other parameters, so the country is a part of it.
  const key = `account-${id}-${seller.createdAt.getTime()}-${stripeAccountTry}${country ? `-${country}` : ''}`
  const account = await onceKeyIsFree(() => createAccount(ctx, { ...seller, country }, key)).catch(
    async (error: unknown) => {
      if (isStripeDenial(error)) {
        await ctx.db.user.updateMany({ where: { id, stripeAccountTry }, data: { stripeAccountTry: { increment: 1 } } })
      }
      throw error
    },
  )
  await ctx.db.user.updateMany({
    where: { id, stripeAccountId: null },
    data: { stripeAccountId: account.id, payoutsState: 'incomplete' },
  })
  const { stripeAccountId } = await ctx.db.user.findUniqueOrThrow({ where: { id } })
  return stripeAccountId ?? account.id
}

function createAccount(
  ctx: Context<UserActor>,
  { id, email, country }: { id: number; email: string; country: PayoutCountry | undefined },
  idempotencyKey: string,
): Promise<Stripe.Account> {
  return ctx.stripe().accounts.create(
    {
      email,
      ...(country && { country }),
      controller: {
        fees: { payer: 'application' },
        losses: { payments: 'application' },
        stripe_dashboard: { type: 'express' },
      },
      // Stripe allows the transfers capability alone only for platforms it has approved, so card payments are requested
      // too. No card is ever charged on these accounts.
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
      metadata: { userId: String(id) },
    },
    { idempotencyKey },
  )
}
