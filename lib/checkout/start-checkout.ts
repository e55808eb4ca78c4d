import 'server-only'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { isStripeLimit } from '@/lib/infra/stripe-errors'
import { isPaced } from '@/lib/infra/stripe-line'
import { giveUpOpening } from './hold/give-up-opening'
import { checkoutError } from './messages'
import type { OpenHoldInput } from './choices/check-purchase'
import { openHold } from './hold/open-hold'
import { openSession } from './open-session'
import { HOSTED_HOLD_MS } from './rules'
import { joinLine, waitedInLine, type WaitingInLine, waitLonger } from './hold/waiting-in-line'
import type { TakenHold } from './hold/take-hold'

export type StartCheckoutInput = Pick<
  OpenHoldInput,
  'dropId' | 'quantity' | 'selectedVariants' | 'code' | 'early' | 'country' | 'buyerToken' | 'isNewBuyer' | 'proof'
>

/**
 * What a buyer gets from startCheckout(): the URL of Stripe's payment page with the time at which the units are
 * released, or a place in the line for the page (ADR 0052). The units are held in both cases. `code` is the hold's
 * discount code, or empty. The buyer's next request has to send it, so that the price stays the same.
 */
export type StartedCheckout = { url: string; expiresAt: Date } | { wait: WaitingInLine; code: string }

/**
 * Starts the hosted checkout (docs/product.md#hosted-and-embedded-checkout): holds the units, then opens a Stripe
 * session. The session lasts as long as the hold, except that a contested hold ends earlier (sessionParams() in
 * open-session.ts). A buyer who repeats the request gets the same session. A buyer who waits in line keeps the place
 * and gets the session when it is their turn.
 * @throws the errors of openHold(), LINE_FULL and STRIPE_AWAY
 */
export async function startCheckout(ctx: Context, input: StartCheckoutInput): Promise<StartedCheckout> {
  const opened = await openHold(ctx, { ...input, mode: 'hosted', holdMs: HOSTED_HOLD_MS })
  if (opened.kind === 'open') {
    if (!opened.open.checkoutUrl) throw checkoutError('STRIPE_AWAY', { retryAfterSeconds: 2 })
    return { url: opened.open.checkoutUrl, expiresAt: opened.open.expiresAt }
  }
  const { drop } = opened
  // A further attempt must send the discount code of this hold, because the hold may have ended by then. The buyer now
  // has a hold, and is not new anymore.
  const { shipsTo, ...held } = opened.kind === 'fresh' ? opened.hold : opened.open
  const again = { ...input, isNewBuyer: false, code: discountCodeOf(held), ...(shipsTo ? { country: shipsTo } : {}) }
  const turn = opened.kind === 'fresh' ? await joinLine(ctx, opened.hold, 'sessions') : await waitedInLine(ctx, opened)
  // Another call of the same buyer is opening the session, so this call starts again.
  if (!turn) return startCheckout(ctx, again)
  if ('wait' in turn) return { ...turn, code: again.code }
  return (await openOrWait(ctx, drop, turn.hold, input.quantity)) ?? startCheckout(ctx, again)
}

/** The discount code for the next request of this buyer; empty for none. */
export const discountCodeOf = ({ discountCode }: Pick<TakenHold, 'discountCode'>): string => discountCode ?? ''

/**
 * Opens the session. If Stripe refuses because of too many calls, the buyer keeps the units and waits in line.
 * @returns null when Stripe will never accept this order. Its units were then released, and the caller may start over.
 */
async function openOrWait(
  ctx: Context,
  drop: DropRow,
  hold: TakenHold,
  quantity: number,
): Promise<StartedCheckout | null> {
  try {
    return { url: await openSession(ctx, drop, hold, quantity), expiresAt: hold.expiresAt }
  } catch (error) {
    const wait = isPaced() && isStripeLimit(error) ? await waitLonger(ctx, hold, 'sessions') : null
    if (wait) return { wait, code: discountCodeOf(hold) }
    const refusal = await giveUpOpening(ctx, hold, error)
    if (refusal) throw refusal
    return null
  }
}
