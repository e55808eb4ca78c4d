import 'server-only'
import type { User } from '@prisma/client'
import type Stripe from 'stripe'
import { assertOwner } from '@/lib/accounts/guards'
import { issueUndo } from '@/lib/accounts/issue-token'
import { assertStillSignedIn } from '@/lib/accounts/lock-own-account'
import { lockUser } from '@/lib/accounts/lock-user'
import { undoLink } from '@/lib/accounts/mails'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeDenial, isStripeFailure, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'
import type { UserActor } from '@/lib/kernel/actor'
import { connectedAccountParams } from '@/lib/kernel/connected-account-params.mjs'
import { queueMail } from '@/lib/notifications/queue-mail'
import { platformError } from '@/lib/platform/messages'
import { payoutsConnectedMail } from './mails'
import { payoutError } from './messages'
import type { PayoutCountry } from './rules'
import type { ConnectPayoutsInput } from './schema'
import { syncPayoutAccount } from './sync-payout-account'

/**
 * Finds the Stripe page for the next step of a seller's payouts. A seller without a connected account gets one. The
 * page is the account's onboarding or, once the account is ready, its balance.
 * @param country the country of a new account, by default the platform's. Stripe never changes it later.
 * @returns the URL of a Stripe page. It is valid for a few minutes and must not be stored.
 * @throws PROOF_REQUIRED, WRONG_PASSWORD, PAYMENTS_OFF, STRIPE_AWAY, NOT_SIGNED_IN
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
 * Returns the seller's account, or creates it. Two requests at the same time create only one, because the idempotency
 * key belongs to the seller and Stripe repeats the first response. Stripe also repeats a refusal or a failure for a
 * day, so the next attempt uses another key. If Stripe created an account although it reported a failure, that account
 * stays unused: nobody has a link to it, and no money is sent to it.
 */
async function openAccount(ctx: Context<UserActor>, country: PayoutCountry | undefined): Promise<string> {
  const id = ctx.actor.userId
  const seller = await ctx.db.user.findUniqueOrThrow({ where: { id } })
  if (seller.stripeAccountId) return seller.stripeAccountId
  const { stripeAccountTry } = seller
  // Stripe refuses a key with other parameters, so the country is part of it.
  const key = `account-${id}-${seller.createdAt.getTime()}-${stripeAccountTry}${country ? `-${country}` : ''}`
  const account = await onceKeyIsFree(() => createAccount(ctx, { ...seller, country }, key)).catch(
    async (error: unknown) => {
      if (isStripeDenial(error) || isStripeFailure(error)) {
        await ctx.db.user.updateMany({ where: { id, stripeAccountTry }, data: { stripeAccountTry: { increment: 1 } } })
      }
      throw error
    },
  )
  return recordAccount(ctx, seller, account.id)
}

/**
 * Records the seller's new connected account. The owner gets an email with a link that removes the connected account
 * and restores access to the seller's account (ADR 0069). No money is sent to a new connected account for a while. If
 * the owner recovered the seller's account during the call to Stripe, the password has changed, and nothing is
 * recorded. Nor is it if the session was signed out.
 * @returns the seller's connected account, which another request may have recorded first
 * @throws PROOF_REQUIRED, NOT_SIGNED_IN
 */
function recordAccount(ctx: Context<UserActor>, seller: User, stripeAccountId: string): Promise<string> {
  const { id, passwordHash } = seller
  return transaction(ctx, async (tx) => {
    await lockUser(tx, id)
    const user = await tx.db.user.findFirst({ where: { id, passwordHash, deletedAt: null } })
    if (!user) throw platformError('PROOF_REQUIRED')
    await assertStillSignedIn(tx, tx.actor)
    if (user.stripeAccountId) return user.stripeAccountId
    const { email, timezone } = user
    // The link only removes a connected account that is not older than its token, so the token is created first.
    const undo = await issueUndo(tx, user)
    const payoutsConnectedAt = undo.createdAt
    const payoutsHeldUntil =
      tx.newAccountWaitMs > 0 ? new Date(payoutsConnectedAt.getTime() + tx.newAccountWaitMs) : null
    await tx.db.user.update({
      where: { id },
      data: { stripeAccountId, payoutsState: 'incomplete', payoutsConnectedAt, payoutsHeldUntil },
    })
    const about = { undoUrl: undoLink(tx.appUrl, undo.secret), heldUntil: payoutsHeldUntil, timezone }
    await queueMail(tx, [payoutsConnectedMail(email, about, undo.id)])
    return stripeAccountId
  })
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
      ...connectedAccountParams,
      metadata: { userId: String(id) },
    },
    { idempotencyKey },
  )
}
