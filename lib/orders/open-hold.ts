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

/** Either a fresh hold that needs its Stripe object, or the checkout that this buyer has open already. */
type OpenedHold = { kind: 'fresh'; drop: DropRow; hold: TakenHold } | { kind: 'open'; open: OpenCheckout }

/**
 * The common part of both doors (docs/product.md#hosted-and-embedded-checkout): may this buyer buy this drop, and units for them. The same buyer asking
 * for the same again gets the checkout that is open; asking for something else closes it first.
 * @throws PAYMENTS_OFF, DROP_NOT_FOUND, OWN_DROP, DROP_ENDED, DROP_PAUSED, SOLD_OUT, ALL_IN_CHECKOUT,
 *   NOT_ENOUGH_LEFT, TOO_MUCH_AT_ONCE, STRIPE_AWAY
 */
export async function openHold(ctx: Context, input: OpenHoldInput): Promise<OpenedHold> {
  if (ctx.payments === 'off') throw orderError('PAYMENTS_OFF')
  const drop = await findPublicDrop(ctx, String(input.dropId))
  if (!drop || drop.id !== input.dropId) throw orderError('DROP_NOT_FOUND')
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw orderError('OWN_DROP')
  if (drop.priceCents * input.quantity > MAX_PRICE_CENTS) throw orderError('TOO_MUCH_AT_ONCE')

  const buyerKey = buyerKeyOf(input.buyerToken)
  // After the drop was read: whoever took its last unit is seen here when it was this buyer.
  const { open, hasUnanswered } = await findBuyersCheckout(ctx, drop.id, buyerKey)
  const none = open ? null : whyNot(drop, input.quantity)
  if (none) throw none
  if (open?.stripeId && isTheSame(open, input)) return { kind: 'open', open }
  if (open?.isOpening) return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.door) }
  // The process that asked Stripe for it has died: the same key finds what came of it.
  if (open && isTheSame(open, input)) return { kind: 'fresh', drop, hold: { ...open, isRetry: true } }
  // The buyer starts over: the old checkout must not be payable any more.
  if (open) await closeCheckout(ctx, open, 'restarted')

  let hold: TakenHold | null
  try {
    const { quantity, door, holdMs } = input
    const wanted = { dropId: drop.id, quantity, buyerKey, door }
    hold = hasUnanswered ? await reopenHold(ctx, wanted) : null
    hold ??= await takeHold(ctx, { ...wanted, holdMs, ip: ctx.ip })
  } catch (error) {
    // The same buyer pressed twice at once: the other call holds the unit and gets the session.
    if (uniqueViolation(error)?.includes('Hold_one_open_per_buyer'))
      return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.door) }
    throw error
  }
  if (hold) return { kind: 'fresh', drop, hold }
  // Pressed twice at once on the last unit: it is this very buyer's other call that has it.
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
 * Why a drop as it was read has not that many units. It only ever refuses: whether there is one is decided by the update
 * that takes it. A crowd before an empty shelf is told so without a write.
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

/** Another call of the same buyer holds the unit and talks to Stripe: its checkout is theirs. @throws STRIPE_AWAY */
export async function waitForOtherCall(
  ctx: Context,
  dropId: number,
  buyerKey: string,
  door: OpenHoldInput['door'],
): Promise<OpenCheckout> {
  for (let attempt = 0; attempt < OTHER_CALL_TRIES; attempt += 1) {
    const open = await findOpenCheckout(ctx, dropId, buyerKey)
    if (open?.stripeId && open.door === door) return open
    if (!open) break
    await new Promise((resolve) => setTimeout(resolve, OTHER_CALL_PAUSE_MS))
  }
  throw orderError('STRIPE_AWAY', { retryAfterSeconds: 2 })
}
