import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import { MINUTE_MS } from '@/lib/kernel/time'
import { MAX_UNITS_PER_ORDER } from '@/lib/orders/rules'

/** The fragment in a drop page's URL that shows that the buyer has left the payment page without paying. */
export const CANCELED_ID = 'checkout-canceled'

/**
 * Stripe keeps a hosted session open for at least 30 minutes. The extra minute allows for the request to Stripe
 * (docs/product.md#how-long-a-hold-lasts).
 */
export const HOSTED_HOLD_MS = 31 * MINUTE_MS

/**
 * The embedded checkout holds units for a shorter time: we close it ourselves, and Stripe sets no minimum
 * (docs/product.md#how-long-a-hold-lasts).
 */
export const EMBEDDED_HOLD_MS = 10 * MINUTE_MS

/** How long a hold lasts if it is taken while more than half of the unsold units are in checkout (ADR 0050). */
export const CONTESTED_HOLD_MS = 10 * MINUTE_MS

/**
 * How long more than half of the unsold units may be unpaid. After this time, contested holds are yielded until no more
 * than half are unpaid. The oldest hold goes first, but a hold younger than this time may follow. The job that yields
 * the holds runs every five seconds, so the excess units are blocked for less than a minute.
 */
export const SURE_MS = 50_000

/**
 * How many units one buyer may take right now: limited by the free units, by ten or the seller's limit, and by the
 * largest amount of one payment.
 */
export function unitsOnOffer(
  drop: { priceCents: number; available: number; maxPerBuyer: number | null },
  shippingCents = 0,
): number {
  const most = drop.maxPerBuyer ?? MAX_UNITS_PER_ORDER
  const payable = Math.floor((MAX_PRICE_CENTS - shippingCents) / drop.priceCents)
  return Math.max(0, Math.min(drop.available, most, payable))
}

/** How many units a press on Buy requests. Other buyers may have taken units since the quantity was chosen. */
export function quantityToBuy(wanted: number, onOffer: number): number {
  return Math.max(1, Math.min(wanted, onOffer))
}

/** Whether a Stripe id names a payment intent, which means that the order came through the embedded checkout. */
export function isPaymentIntent(stripeId: string): boolean {
  return stripeId.startsWith('pi_')
}

/** Returns the last eight characters of a session id, as pages show it to people (docs/product.md#after-paying). */
export function sessionTail(sessionId: string): string {
  return sessionId.slice(-8)
}

/**
 * The metadata that records the buyer's choice with the payment at Stripe: the `selectedVariants` of the call as JSON,
 * the discount code with the cents it takes off, and the country with its surcharge.
 */
export function choiceMetadata(order: {
  optionName: string | null
  optionValue: string | null
  discountCode: string | null
  discountCents: number
  shipsTo?: string | null
  shippingCents?: number
}): Record<string, string> {
  const { optionName, optionValue, discountCode, discountCents, shipsTo, shippingCents } = order
  return {
    ...(optionName === null || optionValue === null
      ? {}
      : { selectedVariants: JSON.stringify({ [optionName]: optionValue }) }),
    ...(discountCode === null ? {} : { discountCode, discountCents: String(discountCents) }),
    ...(shipsTo ? { shipsTo, shippingCents: String(shippingCents) } : {}),
  }
}
