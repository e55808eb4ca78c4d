import 'server-only'
import { findCode } from '@/lib/drops/codes/code-queries'
import { dropState } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { countHold } from '@/lib/infra/metrics'
import { queueForRow } from '@/lib/infra/queue-for-row'
import type { AppError } from '@/lib/kernel/app-error'
import { assertFewLargeCheckouts, isLargeCheckout } from './assert-few-refunded-payments'
import { assertFewRestarts } from './assert-few-restarts'
import { type CheckedPurchase, checkPurchase, type OpenHoldInput } from '../choices/check-purchase'
import { assertRedeemable, assertUseLeft } from '../choices/choose-code'
import { chooseCountry } from '../choices/choose-country'
import { chooseEarlyLink, openForFollower } from '../choices/choose-early-link'
import { closeCheckout } from '../close-checkout'
import { findDropOnSale } from '../choices/find-drop-on-sale'
import { assertWithinSellerLimit, holdWithinLimit } from './hold-within-limit'
import { hasSellerLimit } from '@/lib/traders/has-seller-limit'
import { latestLook, lookAt } from './latest-look'
import { alreadyPaid, checkoutError } from '../messages'
import { assertNoWorkAfter, needWork, readOrigin } from './need-work'
import { findOpenCheckout, type OpenCheckout } from '../queries'
import { reopenHold } from './reopen-hold'
import { takeHold, type TakenHold } from './take-hold'
import { callAgain, waitForOtherCall } from './wait-for-other-call'
import { countedRefusal, whyNot } from '../choices/why-not'

type HoldOrigin = Awaited<ReturnType<typeof readOrigin>>

/**
 * A new hold that still needs its Stripe object, the checkout that this buyer already has open, or a place in the line.
 */
export type OpenedHold =
  | { kind: 'fresh'; drop: DropRow; hold: TakenHold }
  | { kind: 'open'; open: OpenCheckout }
  /** This buyer holds units and waits in line for a session (ADR 0052). */
  | { kind: 'waiting'; drop: DropRow; open: OpenCheckout; waitMs: number }

/**
 * The part that both checkout modes have in common (docs/product.md#hosted-and-embedded-checkout): checks whether this
 * buyer may buy this drop, and holds the units. A buyer who repeats the same request gets the open checkout. A
 * different request closes the open checkout first.
 * @throws PAYMENTS_OFF, DROP_NOT_FOUND, OWN_DROP, DROP_ENDED, DROP_SCHEDULED, DROP_PAUSED, SOLD_OUT, ALL_IN_CHECKOUT,
 *   NOT_ENOUGH_LEFT, TOO_MUCH_AT_ONCE, ABOVE_LIMIT, NO_OPTIONS, OPTION_MISSING, OPTION_UNKNOWN, OPTION_SOLD_OUT,
 *   OPTION_IN_CHECKOUT, COUNTRY_MISSING, COUNTRY_UNKNOWN, COUNTRY_REFUSED, CODE_UNKNOWN,
 *   CODE_OTHER_DROP, CODE_ENDED, CODE_USED_UP, TOO_MANY_CODES, WORK_NEEDED, ALREADY_PAID, STRIPE_AWAY,
 *   SELLER_LIMIT, SELLER_HOME, OFTEN_REFUNDED, LARGE_ORDERS_OPEN, RESTARTED_OFTEN, and the errors of EarlyProblem
 */
export async function openHold(ctx: Context, input: OpenHoldInput, round = 1): Promise<OpenedHold> {
  const purchase = await checkPurchase(ctx, input)
  const { drop, link, code, open } = purchase
  const joinOther = () => joinOtherCall(ctx, input, purchase, round)
  const same = open && purchase.isTheSame(open) ? open : null
  // When the units of a checkout go back on sale, so does the use of its code. If someone else has that use now,
  // paying would only lead to a refund.
  if (same?.isYielded) await assertUseLeft(ctx, code)
  if (same?.stripeId) return { kind: 'open', open: same }
  if (same && same.waitMs !== null) return { kind: 'waiting', drop, open: same, waitMs: same.waitMs }
  if (open?.isOpening) return joinOther()
  // The process that requested this checkout from Stripe has died. Another request with the same idempotency key
  // returns the object that Stripe created then.
  if (same) return { kind: 'fresh', drop, hold: { ...same, isRetry: true } }
  await assertRedeemable(ctx, code, open)
  const origin = open ? await closeForNewHold(ctx, purchase, open) : null

  const since = performance.now()
  const hold = await holdUnits(ctx, purchase, { origin, since })
  if (hold === 'other call') return joinOther()
  if (hold) {
    countHold('held')
    return { kind: 'fresh', drop, hold }
  }
  // The buyer pressed Buy twice at the same time, and the other call got the last unit.
  if (!input.isNewBuyer && (await findOpenCheckout(ctx, drop.id, purchase.buyerKey))) return joinOther()
  const read = seenWithoutUnit(purchase, since) ?? (await lookAt(drop.id, () => findDropOnSale(ctx, drop.id)))
  if (!read) throw checkoutError('DROP_NOT_FOUND')
  // The public start came between the check of the link and the statement, so nobody needs a link anymore.
  if (link && dropState(read, read.now) === 'live') return openHold(ctx, { ...input, early: undefined }, round)
  throw await whyNotHeld(ctx, purchase, read)
}

/**
 * Returns the drop as another call read it after `since`, a time of performance.now(), if the drop has no unit for this
 * buyer either.
 */
function seenWithoutUnit({ drop, link, wanted }: CheckedPurchase, since: number): DropRow | null {
  const seen = link ? null : latestLook(drop.id, since)
  return seen && whyNot(seen, wanted.quantity, wanted.valueId) ? seen : null
}

/**
 * Holds the units, or resumes the checkout that Stripe left unanswered.
 * @param from the origin that closeForNewHold() has read, and since when the drop may have been read for this call
 * @returns null when the units are not free; 'other call' when another call of this buyer has just taken them
 * @throws SELLER_LIMIT, OFTEN_REFUNDED, LARGE_ORDERS_OPEN, and WORK_NEEDED also when the proof of work was already used
 *   for another hold
 */
async function holdUnits(
  ctx: Context,
  purchase: CheckedPurchase,
  from: { origin: HoldOrigin | null; since: number },
): Promise<TakenHold | 'other call' | null> {
  const { drop, link, buyerKey, wanted, code, shipsTo, unanswered } = purchase
  const { valueId, quantity, mode, holdMs, tapId } = wanted
  const chosen = { valueId, codeId: code?.id ?? null, shipsTo, earlyLinkId: link?.linkId ?? null }
  const units = { ...chosen, dropId: drop.id, isHomeOnly: drop.isHomeOnly ?? false, quantity, buyerKey, mode, tapId }
  try {
    const reopened = unanswered ? await holdWithinLimit(ctx, drop, (tx) => reopenHold(tx, units)) : null
    if (reopened) return reopened
    const origin = from.origin ?? (await readOrigin(ctx, drop, wanted, { buyerKey }))
    const taking = { ...units, holdMs, ip: ctx.ip, origin }
    const isLarge = (purchase.mayBeRefunded || origin.mayYield) && isLargeCheckout(purchase.amountCents)
    const take = async (tx: Pick<Context, 'sql'>) => {
      if (isLarge) await assertFewLargeCheckouts(tx, origin.key)
      return takeHold(tx, taking)
    }
    // A transaction must not wait in the queue of the row.
    if (hasSellerLimit(ctx, drop)) return await holdWithinLimit(ctx, drop, take)
    return await queueForRow(`drop-${drop.id}`, async () => {
      if (seenWithoutUnit(purchase, from.since)) return null
      return isLarge ? sqlTransaction(ctx, take) : take(ctx)
    })
  } catch (error) {
    const violated = uniqueViolation(error)
    // The buyer pressed Buy twice at the same time: the other call holds the unit and opens the session.
    if (violated?.includes('Hold_one_open_per_buyer')) return 'other call'
    if (violated?.includes('workId')) {
      // Both calls may have sent the same proof of work, and Postgres names only one of the two indexes.
      if (await findOpenCheckout(ctx, drop.id, buyerKey)) return 'other call'
      // This proof of work was already used for another hold.
      throw await needWork(ctx, drop, wanted, buyerKey)
    }
    // Two checkouts used the follower's link at the same time. If both are this buyer's, openHold() finds the other
    // one.
    if (violated?.includes('Hold_one_per_early_link')) return null
    throw error
  }
}

/**
 * Returns why this buyer got no units, according to the drop as it was read afterwards. If the drop has units, work is
 * needed first.
 * @throws the errors of EarlyProblem, the errors of chooseCountry(), CODE_ENDED, CODE_USED_UP
 */
async function whyNotHeld(ctx: Context, purchase: CheckedPurchase, read: DropRow): Promise<AppError> {
  const { link, buyerKey, wanted, code, shipsTo } = purchase
  const { quantity, valueId } = wanted
  if (link) await chooseEarlyLink(ctx, read, { token: wanted.early, buyerKey, quantity })
  const now = link ? openForFollower(read) : read
  const reason = whyNot(now, quantity, valueId)
  if (reason) return countedRefusal(now, reason)
  // The country may come from the checkout that closeForNewHold() has closed, so the buyer is not asked for it again.
  chooseCountry(now, shipsTo ?? '')
  if (code) await assertRedeemable(ctx, await findCode(ctx, now.id, code.code))
  return needWork(ctx, now, wanted, buyerKey)
}

/** A call makes at most this many attempts because of other calls of the same buyer. */
const MOST_ROUNDS = 5

/**
 * Waits for another call of this buyer, which is opening a checkout right now. If both calls want the same, this call
 * returns that checkout. If not, this call starts again once that checkout is open, and closes that checkout like any
 * earlier one. Otherwise the buyer would be sent to pay for the earlier choice.
 * @throws STRIPE_AWAY also when other calls of this buyer keep opening checkouts
 */
async function joinOtherCall(
  ctx: Context,
  input: OpenHoldInput,
  { buyerKey, isTheSame }: CheckedPurchase,
  round: number,
): Promise<OpenedHold> {
  const open = await waitForOtherCall(ctx, input.dropId, buyerKey)
  if (isTheSame(open)) return { kind: 'open', open }
  if (round >= MOST_ROUNDS) throw callAgain()
  return openHold(ctx, { ...input, isNewBuyer: false }, round + 1)
}

/**
 * Closes this buyer's open checkout, which must no longer be payable once the buyer starts a different one for this
 * drop. The open checkout stays if the wanted units are not free, if they exceed the seller's limit, or if a proof of
 * work is needed first.
 * @returns the network that the new hold counts for, and the work done for it
 * @throws the errors of whyNot(), RESTARTED_OFTEN, SELLER_LIMIT, WORK_NEEDED, and ALREADY_PAID when the open checkout
 *   turns out to be paid. A buyer who never saw the outcome of that payment must not pay twice.
 */
async function closeForNewHold(ctx: Context, purchase: CheckedPurchase, open: OpenCheckout): Promise<HoldOrigin> {
  const { drop, buyerKey, wanted, amountCents } = purchase
  const reason = open.isHeld ? whyNot(withFreed(drop, open), wanted.quantity, wanted.valueId) : null
  if (reason) throw countedRefusal(drop, reason)
  const origin = await readOrigin(ctx, drop, wanted, { buyerKey, exceptHoldId: open.holdId })
  if (!origin.work) await assertNoWorkAfter(ctx, drop, { ...wanted, buyerKey, originKey: origin.key }, open)
  await assertWithinSellerLimit(ctx, drop, amountCents, { ...open, originKey: origin.key })
  await assertFewRestarts(drop.id, buyerKey)
  const closed = await closeCheckout(ctx, open, 'restarted')
  if (closed === 'paid' || closed === 'processing') throw alreadyPaid(open.stripeId ?? '')
  return origin
}

/** The drop as it would be if the units of this checkout were free again. */
function withFreed(drop: DropRow, { quantity, valueId }: OpenCheckout): DropRow {
  const free = <Units extends { held: number }>(units: Units) => ({ ...units, held: units.held - quantity })
  const { option } = drop
  const values = option?.values.map((value) => (value.id === valueId ? free(value) : value))
  return { ...free(drop), option: option && values ? { ...option, values } : null }
}
