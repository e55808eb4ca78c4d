import 'server-only'
import { shippingLabel } from '@/lib/drops/delivery/zone-messages'
import { dropPath } from '@/lib/drops/rules'
import { type DropRow, toImageView } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { isStripeKeyReused } from '@/lib/infra/stripe-errors'
import { UNFLUSHED } from '@/lib/infra/unflushed'
import { brand } from '@/lib/kernel/brand'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { homeOf } from './hold/limit-to-home'
import type { TakenHold } from './hold/take-hold'
import { YIELDED } from './queries'
import { choiceMetadata, CONTESTED_HOLD_MS, HOSTED_HOLD_MS } from './rules'
import { taxParams, type TaxParams } from './tax-params'

/**
 * Opens the session for a hold and its pending order, and stores it with the order. Only the URL of a stored session is
 * passed on, so nobody can pay an order twice. If a slow call finds that another call has stored a session meanwhile,
 * it closes its own.
 * @returns the URL of the payment page
 * @throws what Stripe's SDK throws, and an Error when the hold was released while Stripe was slow. The session is then
 *   closed again.
 */
export async function openSession(ctx: Context, drop: DropRow, hold: TakenHold, quantity: number): Promise<string> {
  const session = await sessionOf(ctx, hold.orderId, sessionParams(ctx, drop, hold, quantity))
  if (!session.url) throw new Error('the session has no URL')
  const remembered = await ctx.sql(
    'remember-session',
    `WITH ${UNFLUSHED}
     UPDATE "Order" o SET "stripeSessionId" = :sessionId, "checkoutUrl" = :url FROM "Hold" h, unflushed
      WHERE o."id" = :orderId AND h."id" = o."holdId" AND (h."state" = 'held' OR ${YIELDED})
        AND COALESCE(o."stripeSessionId", :sessionId) = :sessionId RETURNING o."id"`,
    { orderId: hold.orderId, sessionId: session.id, url: session.url },
  )
  if (remembered.length > 0) return session.url
  const [other] = await ctx.sql<{ url: string }>(
    'url-of-other-session',
    `SELECT o."checkoutUrl" AS "url" FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
      WHERE o."id" = :orderId AND (h."state" = 'held' OR ${YIELDED}) AND o."checkoutUrl" IS NOT NULL`,
    { orderId: hold.orderId },
  )
  if (other) {
    // Nobody has the URL of the other session, so an error must not end the hold, which belongs to the stored session.
    await ctx
      .stripe()
      .checkout.sessions.expire(session.id)
      .catch((error: unknown) => {
        ctx.log.warn({ orderId: hold.orderId, cause: String(error) }, 'an unused session was not closed')
      })
    return other.url
  }
  await ctx.stripe().checkout.sessions.expire(session.id)
  throw new Error('the hold was released while Stripe was slow')
}

/**
 * Creates the session of an order, or returns the one that an earlier call created. If that call sent other parameters,
 * for example because its buyer has waited in line since and the hold ends later, the order gets another session.
 * Nobody has the URL of the first one, because a URL is passed on only once it is stored.
 */
async function sessionOf(ctx: Context, orderId: string, params: ReturnType<typeof sessionParams>) {
  const idempotencyKey = `checkout-${orderId}`
  const { sessions } = ctx.stripe().checkout
  try {
    return await sessions.create(params, { idempotencyKey })
  } catch (error) {
    if (!isStripeKeyReused(error)) throw error
    return sessions.create(params, { idempotencyKey: `${idempotencyKey}-${params.expires_at}` })
  }
}

function sessionParams(ctx: Context, drop: DropRow, hold: TakenHold, quantity: number) {
  const { appUrl } = ctx
  const [image] = drop.images
  const tax = taxParams(ctx)
  // Stripe keeps a session open for at least 30 minutes, which is longer than a contested hold lasts. The session of
  // such a hold is opened for the usual time, and the sweep closes it when the hold has ended.
  const closesAt = hold.expiresAt.getTime() + (hold.isContested ? HOSTED_HOLD_MS - CONTESTED_HOLD_MS : 0)
  const soldBy = drop.sellerUsername === null ? '' : ` Sold by @${drop.sellerUsername}.`
  const metadata = { orderId: hold.orderId, dropId: String(drop.id), ...choiceMetadata(hold) }
  return {
    mode: 'payment' as const,
    // A card payment succeeds or fails right away. A bank debit would hold a unit for days and could still fail.
    allowed_payment_method_types: ['card' as const],
    client_reference_id: hold.orderId,
    // The card page of the sandbox shows the end of the hold, which may come before the session expires.
    metadata: { ...metadata, reservedUntil: String(Math.floor(hold.expiresAt.getTime() / SECOND_MS)) },
    // The payment is captured right away, so that its balance transaction, which has the card fee, exists as soon as
    // the payment has succeeded.
    payment_intent_data: {
      capture_method: 'automatic' as const,
      metadata,
      description: `${hold.title} – ${brand.name}`,
      // Stripe copies the charge's transfer group to every transfer made from it, so an operator can find the payout of
      // an order by the order's id.
      transfer_group: hold.orderId,
    },
    line_items: [
      {
        quantity,
        price_data: {
          currency: 'usd',
          unit_amount: hold.unitPriceCents,
          product_data: {
            name: hold.title,
            ...(image ? { images: [appUrl + toImageView(image).src] } : {}),
            ...tax.codeOf(drop.productType),
          },
          ...tax.behavior,
        },
      },
      ...shippingLine(hold, tax),
    ],
    expires_at: Math.floor(closesAt / SECOND_MS),
    // Prices stay in dollars, whatever the Dashboard says. Otherwise buyers would see an amount that no page here
    // shows.
    adaptive_pricing: { enabled: false },
    ...tax.session,
    success_url: `${appUrl}/success-payment?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${appUrl}${dropPath(drop)}/cancel?order=${hold.token}`,
    custom_text: {
      submit: { message: `${discountedText(hold)}${heldText(hold)}${soldBy}` },
    },
    ...(drop.productType === 'physical'
      ? { shipping_address_collection: { allowed_countries: allowedCountries(hold.shipsTo ?? homeOf(drop)) } }
      : {}),
  }
}

/** Returns the surcharge for shipping as a line of its own, and no line when there is no surcharge. */
function shippingLine({ shipsTo, shippingCents }: TakenHold, tax: TaxParams) {
  if (shipsTo === null || shippingCents === 0) return []
  const product = { name: shippingLabel(shipsTo), ...tax.codeOf('shipping') }
  const price = { currency: 'usd', unit_amount: shippingCents, product_data: product, ...tax.behavior }
  return [{ quantity: 1, price_data: price }]
}

/**
 * Returns the countries that Stripe's page accepts: all that we support, or only the given one.
 * @param only the country whose surcharge is charged, or the seller's own country if the seller may ship only there
 */
function allowedCountries(only: string | null) {
  return SHIPPING_COUNTRIES.filter((code) => only === null || code === only)
}

/** Explains the discount on the payment page, because the price there differs from the price on the drop's page. */
function discountedText({ discountCode: code, discountCents }: TakenHold): string {
  return code === null ? '' : `Code ${code} takes ${formatUsd(discountCents)} off. `
}

/**
 * What the payment page promises about the units. While too many units are unpaid, a contested hold may be yielded
 * within a minute, and any other hold after ten minutes.
 */
function heldText({ isContested, discountCode }: Pick<TakenHold, 'isContested' | 'discountCode'>): string {
  const minutes = CONTESTED_HOLD_MS / MINUTE_MS
  // The text states no time of day, because the buyer's time zone is not known.
  if (isContested) {
    const first = discountCode === null ? 'pays for the last unit' : 'gets the last unit or the last use of the code'
    return `Many people are buying right now, so please pay within ${minutes} minutes of opening this page. If someone else ${first} first, you get a full refund.`
  }
  return `Your order is reserved for at least ${minutes} minutes after you opened this page.`
}
