import 'server-only'
import type Stripe from 'stripe'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { brand } from '@/lib/kernel/brand'
import { giveUpOpening } from './give-up-opening'
import { orderError } from './messages'
import { openHold, type OpenHoldInput } from './open-hold'
import { YIELDED } from './queries'
import { choiceMetadata, EMBEDDED_HOLD_MS } from './rules'
import { codeOf } from './start-checkout'
import type { TakenHold } from './take-hold'

/** The client secret that the form on our own page pays with, and the time until which the unit is held. */
export type EmbeddedCheckout = { clientSecret: string; expiresAt: Date }

/**
 * The embedded checkout (docs/product.md#hosted-and-embedded-checkout): holds one unit for ten minutes, then creates
 * the payment intent that the form pays. An intent does not expire by itself, so the sweep cancels it when the hold is
 * over. A buyer who asks again gets the same intent.
 * @throws the errors of openHold(), and STRIPE_AWAY
 */
export async function startEmbeddedCheckout(
  ctx: Context,
  input: Pick<OpenHoldInput, 'dropId' | 'selectedVariants' | 'code' | 'buyerToken' | 'proof'>,
): Promise<EmbeddedCheckout> {
  const opened = await openHold(ctx, { ...input, quantity: 1, mode: 'embedded', holdMs: EMBEDDED_HOLD_MS })
  // This does not happen, because only hosted checkouts wait in line (ADR 0052).
  if (opened.kind === 'waiting') throw orderError('STRIPE_AWAY', { retryAfterSeconds: 2 })
  if (opened.kind === 'fresh') {
    const intent = await openIntent(ctx, opened.drop, opened.hold)
    return intent ?? startEmbeddedCheckout(ctx, { ...input, code: codeOf(opened.hold) })
  }
  const { stripeId, expiresAt, orderId } = opened.open
  try {
    return withSecret(await ctx.stripe().paymentIntents.retrieve(stripeId ?? ''), expiresAt)
  } catch (error) {
    ctx.log.error({ orderId, cause: String(error) }, 'payment intent not read again')
    throw orderError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 2 })
  }
}

function withSecret(intent: Stripe.PaymentIntent, expiresAt: Date): EmbeddedCheckout {
  if (!intent.client_secret) throw new Error('the payment intent has no client secret')
  return { clientSecret: intent.client_secret, expiresAt }
}

/** The counterpart of openSession() for the embedded checkout. */
async function openIntent(ctx: Context, drop: DropRow, hold: TakenHold): Promise<EmbeddedCheckout | null> {
  try {
    const intent = await ctx.stripe().paymentIntents.create(
      {
        amount: hold.amountCents,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        // The payment is captured at once, so that the card fee is known as soon as the payment is made.
        capture_method: 'automatic',
        description: `${hold.title} – ${brand.name}`,
        // Stripe copies the charge's transfer group to every transfer made from it.
        transfer_group: hold.orderId,
        metadata: { orderId: hold.orderId, dropId: String(drop.id), mode: 'embedded', ...choiceMetadata(hold) },
      },
      { idempotencyKey: `intent-${hold.orderId}` },
    )
    const remembered = await ctx.sql(
      'remember-intent',
      `UPDATE "Order" o SET "stripePaymentIntentId" = :intentId FROM "Hold" h
        WHERE o."id" = :orderId AND h."id" = o."holdId" AND (h."state" = 'held' OR ${YIELDED}) RETURNING o."id"`,
      { orderId: hold.orderId, intentId: intent.id },
    )
    if (remembered.length === 0) {
      await ctx.stripe().paymentIntents.cancel(intent.id)
      throw new Error('the hold was released while Stripe was slow')
    }
    return withSecret(intent, hold.expiresAt)
  } catch (error) {
    const refusal = await giveUpOpening(ctx, hold, error)
    if (refusal) throw refusal
    return null
  }
}
