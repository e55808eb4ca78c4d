import 'server-only'
import { buyerKeyOf } from '@/lib/drops/count-tap'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropState } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { AppError } from '@/lib/kernel/app-error'
import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import { freeUnits } from '@/lib/stock/rules'
import { closeCheckout } from './close-checkout'
import { orderError } from './messages'
import { findBuyersCheckout, findOpenCheckout, type OpenCheckout } from './queries'
import { reopenHold } from './reopen-hold'
import { takeHold, type TakenHold } from './take-hold'

export type OpenHoldInput = {
  dropId: number
  quantity: number
  buyerToken: string
  door: 'hosted' | 'embedded'
  holdMs: number
}

/** Either a new hold that still needs its Stripe object, or the checkout that this buyer already has open. */
type OpenedHold =
  | { kind: 'fresh'; drop: DropRow; hold: TakenHold }
  | { kind: 'open'; open: OpenCheckout }
  /** This buyer holds units and waits in line for a session (ADR 0052). */
  | { kind: 'waiting'; drop: DropRow; open: OpenCheckout; waitMs: number }

/**
 * The part that both checkout modes share (docs/product.md#hosted-and-embedded-checkout): checks whether this buyer may
 * buy this drop and holds the units. A buyer who asks for the same again gets the open checkout; a different request
 * closes the open one first.
 * @throws PAYMENTS_OFF, DROP_NOT_FOUND, OWN_DROP, DROP_ENDED, DROP_PAUSED, SOLD_OUT, ALL_IN_CHECKOUT, NOT_ENOUGH_LEFT,
 *   TOO_MUCH_AT_ONCE, STRIPE_AWAY
 */
export async function openHold(ctx: Context, input: OpenHoldInput): Promise<OpenedHold> {
  if (ctx.payments === 'off') throw orderError('PAYMENTS_OFF')
  const drop = await findPublicDrop(ctx, String(input.dropId))
  if (!drop || drop.id !== input.dropId) throw orderError('DROP_NOT_FOUND')
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw orderError('OWN_DROP')
  if (drop.priceCents * input.quantity > MAX_PRICE_CENTS) throw orderError('TOO_MUCH_AT_ONCE')

  const buyerKey = buyerKeyOf(input.buyerToken)
  // Read after the drop: if this buyer's own checkout took the last unit, it is seen here.
  const { open, hasUnanswered } = await findBuyersCheckout(ctx, drop.id, buyerKey)
  const none = open ? null : whyNot(drop, input.quantity)
  if (none) throw none
  if (open?.stripeId && isTheSame(open, input)) return { kind: 'open', open }
  if (open && open.waitMs !== null && isTheSame(open, input))
    return { kind: 'waiting', drop, open, waitMs: open.waitMs }
  if (open?.isOpening) return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.door) }
  // The process that asked Stripe for this checkout has died. Asking again with the same idempotency key returns what
  // Stripe made.
  if (open && isTheSame(open, input)) return { kind: 'fresh', drop, hold: { ...open, isRetry: true } }
  // The buyer starts over, so the old checkout must no longer be payable.
  if (open) await closeCheckout(ctx, open, 'restarted')

  let hold: TakenHold | null
  try {
    const { quantity, door, holdMs } = input
    const wanted = { dropId: drop.id, quantity, buyerKey, door }
    hold = hasUnanswered ? await reopenHold(ctx, wanted) : null
    hold ??= await takeHold(ctx, { ...wanted, holdMs, ip: ctx.ip })
  } catch (error) {
    // The same buyer pressed twice at once: the other call holds the unit and opens the session.
    if (uniqueViolation(error)?.includes('Hold_one_open_per_buyer'))
      return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.door) }
    throw error
  }
  if (hold) return { kind: 'fresh', drop, hold }
  // The buyer pressed twice at once on the last unit, and their own other call has it.
  const own = await findOpenCheckout(ctx, drop.id, buyerKey)
  if (own && isTheSame(own, input))
    return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.door) }
  const now = await findPublicDrop(ctx, String(drop.id))
  throw now ? (whyNot(now, input.quantity) ?? orderError('ALL_IN_CHECKOUT')) : orderError('DROP_NOT_FOUND')
}

function isTheSame(open: OpenCheckout, input: OpenHoldInput): boolean {
  return !open.isExpired && open.door === input.door && open.quantity === input.quantity
}

/**
 * Says why a drop, as it was read, does not have that many units. This check only refuses early: the update that takes
 * the units decides. It lets a crowd at a sold-out drop be refused without a write.
 */
function whyNot(drop: DropRow, quantity: number): AppError | null {
  const state = dropState(drop, drop.now)
  if (state === 'ended') return orderError('DROP_ENDED')
  if (state === 'paused') return orderError('DROP_PAUSED')
  if (state === 'soldOut') return orderError('SOLD_OUT')
  const available = freeUnits(drop)
  if (available >= quantity) return null
  return orderError(available > 0 ? 'NOT_ENOUGH_LEFT' : 'ALL_IN_CHECKOUT')
}

const OTHER_CALL_TRIES = 40
const OTHER_CALL_PAUSE_MS = 100

/**
 * Another call of the same buyer holds the unit and is waiting for Stripe; its checkout is returned to this call too.
 * @throws STRIPE_AWAY
 */
export async function waitForOtherCall(
  ctx: Context,
  dropId: number,
  buyerKey: string,
  door: OpenHoldInput['door'],
): Promise<OpenCheckout> {
  for (let attempt = 0; attempt < OTHER_CALL_TRIES; attempt += 1) {
    const open = await findOpenCheckout(ctx, dropId, buyerKey)
    if (open?.stripeId && open.door === door) return open
    // The other call has put the buyer into the line.
    if (!open || open.waitMs !== null) break
    await new Promise((resolve) => setTimeout(resolve, OTHER_CALL_PAUSE_MS))
  }
  throw orderError('STRIPE_AWAY', { retryAfterSeconds: 2 })
}
