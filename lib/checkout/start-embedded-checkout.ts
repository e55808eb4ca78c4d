import 'server-only'
import type Stripe from 'stripe'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { isStripeLimit } from '@/lib/infra/stripe-errors'
import { isPaced } from '@/lib/infra/stripe-line'
import { brand } from '@/lib/kernel/brand'
import { platformError } from '@/lib/platform/messages'
import { giveUpOpening } from './hold/give-up-opening'
import { alreadyPaid, checkoutError } from './messages'
import type { OpenHoldInput } from './choices/check-purchase'
import { openHold, type OpenedHold } from './hold/open-hold'
import { YIELDED } from './queries'
import { releaseHold } from './hold/release-hold'
import { choiceMetadata, EMBEDDED_HOLD_MS } from './rules'
import { discountCodeOf } from './start-checkout'
import type { TakenHold } from './hold/take-hold'
import { joinLine, waitedInLine, waitLonger } from './hold/waiting-in-line'

/**
 * The client secret with which the form on our own page or a wallet pays, the amount of the payment, and the time until
 * which the units are held.
 */
export type EmbeddedCheckout = { clientSecret: string; amountCents: number; expiresAt: Date }

export type StartEmbeddedInput = Pick<
  OpenHoldInput,
  'dropId' | 'selectedVariants' | 'code' | 'early' | 'country' | 'buyerToken' | 'isNewBuyer' | 'tapId' | 'proof'
> & { quantity?: number }

/**
 * How often one open payment is read again from Stripe for a buyer who repeats the request. Its hold lasts ten minutes.
 * Stripe limits our calls (ADR 0045), so nobody may use them up with one checkout.
 */
const READS_OF_INTENT: RateLimit = { name: 'intent-read', points: 60, windowSeconds: 600 }

/**
 * Starts the embedded checkout (docs/product.md#hosted-and-embedded-checkout): holds the units for ten minutes, then
 * creates the payment intent that the form or a wallet (docs/product.md#wallets) pays. The form buys one unit. An
 * intent does not expire by itself, so the sweep cancels it when the hold has ended. A buyer who repeats the request
 * gets the same intent. If that intent was canceled at Stripe, the checkout starts again. When Stripe gets too many
 * calls, the units are held and the buyer waits in line (ADR 0052). The buyer is asked to try again, and keeps the
 * place until then.
 * @param options.hasPlace whether the caller already has a place in the line for payment intents
 * @throws the errors of openHold(), TOO_MANY_REQUESTS, IN_LINE, LINE_FULL, ALREADY_PAID and STRIPE_AWAY, and
 *   HOSTED_ONLY with Stripe Tax, which calculates no tax for payment intents (ADR 0073)
 */
export async function startEmbeddedCheckout(
  ctx: Context,
  input: StartEmbeddedInput,
  { hasPlace = false } = {},
): Promise<EmbeddedCheckout> {
  if (ctx.hasStripeTax) throw checkoutError('HOSTED_ONLY')
  const opened = await openHold(ctx, {
    ...input,
    quantity: input.quantity ?? 1,
    mode: 'embedded',
    holdMs: EMBEDDED_HOLD_MS,
  })
  // A checkout that waits in line keeps the name of its own tap, so that closing this sheet does not end it.
  if (input.tapId !== undefined && opened.kind !== 'waiting') await noteTap(ctx, opened, input.tapId)
  const { shipsTo, ...held } = opened.kind === 'fresh' ? opened.hold : opened.open
  const again = { ...input, isNewBuyer: false, code: discountCodeOf(held), ...(shipsTo ? { country: shipsTo } : {}) }
  if (opened.kind !== 'open') {
    const turn = await turnOf(ctx, opened, hasPlace)
    if (turn && 'wait' in turn) throw checkoutError('IN_LINE', { retryAfterSeconds: turn.wait.seconds })
    // Without a turn, another call of the same buyer is opening the payment, so this call starts again.
    const intent = turn ? await openIntent(ctx, opened.drop, turn.hold, hasPlace) : null
    return intent ?? startEmbeddedCheckout(ctx, again, { hasPlace })
  }
  const { stripeId, expiresAt, orderId, holdId } = opened.open
  const retryAfterSeconds = await consume(READS_OF_INTENT, orderId)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  const intent = await ctx
    .stripe()
    .paymentIntents.retrieve(stripeId ?? '')
    .catch((error: unknown) => {
      ctx.log.error({ orderId, cause: String(error) }, 'payment intent not read again')
      throw checkoutError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 2 })
    })
  // The buyer has paid, but the response was lost or the webhook is late.
  if (['succeeded', 'processing'].includes(intent.status)) throw alreadyPaid(intent.id)
  if (intent.status !== 'canceled') return withSecret(intent, expiresAt)
  // Nobody can pay a canceled intent. It was canceled in Stripe's dashboard, or by a process that died before it
  // released the units.
  await releaseHold(ctx, holdId, 'expired')
  return startEmbeddedCheckout(ctx, again, { hasPlace })
}

/** Notes that this tap uses the hold, so that a late call which cancels an earlier tap does not release it. */
async function noteTap(ctx: Context, opened: OpenedHold, tapId: string): Promise<void> {
  if (opened.kind === 'fresh' && !opened.hold.isRetry) return
  const { holdId } = opened.kind === 'fresh' ? opened.hold : opened.open
  await ctx.sql('note-tap', `UPDATE "Hold" SET "tapId" = :tapId WHERE "id" = :holdId`, { holdId, tapId })
}

function withSecret(intent: Stripe.PaymentIntent, expiresAt: Date): EmbeddedCheckout {
  if (!intent.client_secret) throw new Error('the payment intent has no client secret')
  return { clientSecret: intent.client_secret, amountCents: intent.amount, expiresAt }
}

/** A tap on a wallet has its place already, so it does not join the line. */
function turnOf(ctx: Context, opened: Exclude<OpenedHold, { kind: 'open' }>, hasPlace: boolean) {
  if (opened.kind === 'waiting') return waitedInLine(ctx, opened)
  return hasPlace ? { hold: opened.hold } : joinLine(ctx, opened.hold, 'intents')
}

/**
 * Creates the payment intent for a hold. If Stripe refuses because of too many calls, the buyer keeps the units and
 * waits in line, unless the caller has a place already.
 * @returns null when Stripe will never accept this order. Its units were then released.
 * @throws IN_LINE, and STRIPE_AWAY after the units were released
 */
async function openIntent(
  ctx: Context,
  drop: DropRow,
  hold: TakenHold,
  hasPlace: boolean,
): Promise<EmbeddedCheckout | null> {
  try {
    const intent = await ctx.stripe().paymentIntents.create(
      {
        amount: hold.amountCents,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        // The payment is captured right away, so that the card fee is known as soon as the payment is made.
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
    const isLimited = !hasPlace && isPaced() && isStripeLimit(error)
    const wait = isLimited ? await waitLonger(ctx, hold, 'intents') : null
    if (wait) throw checkoutError('IN_LINE', { cause: error, retryAfterSeconds: wait.seconds })
    const refusal = await giveUpOpening(ctx, hold, error)
    if (refusal) throw refusal
    return null
  }
}
