import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeFailure, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import type { BillingPeriod } from '@/lib/plans/rules'
import { expireUpgradePage } from './close-upgrade'
import { ensureCustomer } from './ensure-customer'
import { ensurePrice } from './ensure-price'
import { subscriptionError } from './messages'
import { syncSubscription } from './sync-subscription'

/** How long a payment page stays open. Stripe's minimum is 30 minutes. */
const CHECKOUT_MS = 60 * MINUTE_MS
/**
 * An open page is used again only if it has this much time left, so that it does not close while the user looks for a
 * card.
 */
const LEAST_LEFT_MS = 10 * MINUTE_MS
/**
 * A page that Stripe has not opened yet must have this much time left: Stripe's minimum, plus a minute for the call.
 */
const LEAST_LEFT_TO_OPEN_MS = 31 * MINUTE_MS

/** SQL: whether the user's attempt `u` can still be used. */
const IS_KEPT = `u."billingPeriod" = :billingPeriod
  AND u."expiresAt" > CASE WHEN u."stripeSessionId" IS NULL THEN :leastEndToOpen::timestamptz ELSE :leastEnd::timestamptz END`

type Checkout = { attempt: string; stripeSessionId: string | null; url: string | null; expiresAt: Date }

/**
 * Opens the payment page for Pro. All taps, tabs and devices of one user get the same open page. A request for the
 * other billing period closes that page. The plan changes only when Stripe reports the payment.
 * @returns the URL of the page.
 * @throws PAYMENTS_OFF, ALREADY_PRO, STRIPE_AWAY
 */
export async function startUpgrade(ctx: Context<UserActor>, billingPeriod: BillingPeriod): Promise<string> {
  if (ctx.payments === 'off') throw subscriptionError('PAYMENTS_OFF')
  const { userId } = ctx.actor
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId }, include: { subscription: true } })
  if (user.plan === 'pro') throw subscriptionError('ALREADY_PRO')
  try {
    const customer = await ensureCustomer(ctx, userId)
    // A payment counts even if its webhook has not arrived yet. Otherwise the user could pay twice.
    if ((await syncSubscription(ctx, customer)) === 'pro') throw subscriptionError('ALREADY_PRO')
    await closeOther(ctx, userId, billingPeriod)
    return await openCheckout(ctx, customer, billingPeriod)
  } catch (error) {
    if (isStripeUnavailable(error)) throw subscriptionError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 5 })
    throw error
  }
}

/** Closes the open page of the other billing period, which must no longer be payable. */
async function closeOther(ctx: Context, userId: number, billingPeriod: BillingPeriod): Promise<void> {
  const open = await ctx.db.upgradeCheckout.findUnique({ where: { userId } })
  if (!open?.stripeSessionId || open.billingPeriod === billingPeriod) return
  await expireUpgradePage(ctx, open.stripeSessionId)
}

async function openCheckout(ctx: Context, customer: string, billingPeriod: BillingPeriod): Promise<string> {
  const userId = (ctx.actor as UserActor).userId
  const checkout = await claim(ctx, userId, billingPeriod)
  if (checkout.url && checkout.stripeSessionId) {
    const known = await ctx.stripe().checkout.sessions.retrieve(checkout.stripeSessionId)
    if (known.status === 'open') return checkout.url
    await forget(ctx, userId, checkout.attempt)
    return openCheckout(ctx, customer, billingPeriod)
  }
  const { appUrl } = ctx
  const price = await ensurePrice(ctx, billingPeriod)
  const session = await onceKeyIsFree(() =>
    ctx.stripe().checkout.sessions.create(
      {
        mode: 'subscription',
        allowed_payment_method_types: ['card'],
        customer,
        client_reference_id: `user-${userId}`,
        line_items: [{ price, quantity: 1 }],
        metadata: { userId: String(userId) },
        subscription_data: { metadata: { userId: String(userId) } },
        expires_at: Math.floor(checkout.expiresAt.getTime() / SECOND_MS),
        success_url: `${appUrl}/?upgrade=success&session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${appUrl}/?upgrade=true`,
      },
      { idempotencyKey: `upgrade-${checkout.attempt}` },
    ),
  ).catch(async (error: unknown) => {
    // Stripe repeats a stored failure or refusal under the attempt's key. Nobody has the URL of a page that it may have
    // opened.
    if (isStripeFailure(error) || isStripeDenial(error)) await forget(ctx, userId, checkout.attempt)
    throw error
  })
  if (!session.url) throw subscriptionError('STRIPE_AWAY', { retryAfterSeconds: 2 })
  const { count } = await ctx.db.upgradeCheckout.updateMany({
    where: { userId, attempt: checkout.attempt },
    data: { stripeSessionId: session.id, url: session.url },
  })
  if (count > 0) return session.url
  // A request for the other billing period came in between, and opens its own page.
  await expireUpgradePage(ctx, session.id)
  throw subscriptionError('STRIPE_AWAY', { retryAfterSeconds: 2 })
}

/** Ends an attempt to upgrade, so that the next call starts another one with an idempotency key of its own. */
async function forget(ctx: Context, userId: number, attempt: string): Promise<void> {
  await ctx.sql('forget-upgrade', 'DELETE FROM "UpgradeCheckout" WHERE "userId" = :userId AND "attempt" = :attempt', {
    userId,
    attempt,
  })
}

/**
 * Returns the user's only attempt to upgrade: the existing one if it is for the same billing period and has enough time
 * left, otherwise a new one. An attempt whose page Stripe has not opened yet has no `url`.
 */
async function claim(ctx: Context, userId: number, billingPeriod: BillingPeriod): Promise<Checkout> {
  const now = ctx.clock.now().getTime()
  const [row] = await ctx.sql<Checkout>(
    'claim-upgrade',
    `INSERT INTO "UpgradeCheckout" AS u ("userId", "attempt", "billingPeriod", "expiresAt") VALUES (:userId, :attempt, :billingPeriod, :expiresAt)
     ON CONFLICT ("userId") DO UPDATE SET
       "attempt" = CASE WHEN ${IS_KEPT} THEN u."attempt" ELSE :attempt END,
       "stripeSessionId" = CASE WHEN ${IS_KEPT} THEN u."stripeSessionId" END,
       "url" = CASE WHEN ${IS_KEPT} THEN u."url" END,
       "expiresAt" = CASE WHEN ${IS_KEPT} THEN u."expiresAt" ELSE :expiresAt END,
       "billingPeriod" = :billingPeriod
     RETURNING "attempt", "stripeSessionId", "url", "expiresAt"`,
    {
      userId,
      attempt: newId('upg'),
      billingPeriod,
      expiresAt: new Date(now + CHECKOUT_MS),
      leastEnd: new Date(now + LEAST_LEFT_MS),
      leastEndToOpen: new Date(now + LEAST_LEFT_TO_OPEN_MS),
    },
  )
  return row!
}
