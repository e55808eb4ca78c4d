import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import { countRefusal } from '@/lib/drops/count-refusal'
import { buyerKeyOf } from '@/lib/drops/count-tap'
import { findCode } from '@/lib/drops/code-queries'
import { discountOf } from '@/lib/drops/code-rules'
import { dropState } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { countHold } from '@/lib/infra/metrics'
import { queueForRow } from '@/lib/infra/queue-for-row'
import type { AppError } from '@/lib/kernel/app-error'
import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import {
  freeUnits,
  isCrowded,
  isCrowdedForLong,
  KEPT_UNPAID_SECONDS,
  ownPart,
  type CheckoutLoad,
  unsoldUnits,
  requiredWork,
} from '@/lib/stock/rules'
import { aboveLimit, assertBuyerLimits } from './assert-buyer-limits'
import { assertFewRefundedPayments } from './assert-few-refunded-payments'
import { assertFewRestarts } from './assert-few-restarts'
import { issueWorkToken, checkWork } from './issue-work-token'
import { assertRedeemable, assertUseLeft, chooseCode } from './choose-code'
import { chooseEarlyLink, openForFollower } from './choose-early-link'
import { chooseCountry } from './choose-country'
import { chooseValue, whyNotValue } from './choose-value'
import { closeCheckout } from './close-checkout'
import { findDropOnSale } from './find-drop-on-sale'
import { latestLook, lookAt } from './latest-look'
import { alreadyPaid, notStartedText, orderError } from './messages'
import { originKeyOf } from './origin-of'
import { findBuyersCheckout, findOpenCheckout, KEPT_WHOLE_SECONDS, type OpenCheckout } from './queries'
import { type CheckoutLoadOf, readCheckoutLoad } from './read-checkout-load'
import { assertWithinLimit, holdWithinLimit, isLimited } from './hold-within-limit'
import { reopenHold } from './reopen-hold'
import { takeHold, type TakenHold } from './take-hold'
import { callAgain, waitForOtherCall } from './wait-for-other-call'

export type OpenHoldInput = {
  dropId: number
  quantity: number
  /**
   * The chosen value of each option of the drop, by the option's name. It is empty or left out for a drop without
   * options.
   */
  selectedVariants?: Record<string, string>
  /**
   * The discount code, as the buyer typed it or as it is in the link. An empty string means no code. If it is left out,
   * the code of an open checkout stays.
   */
  code?: string
  /** The token of a follower's link, which matters only until the public start (docs/product.md#early-access). */
  early?: string
  /** The country that the order is shipped to. A drop whose price includes shipping has none. */
  country?: string
  buyerToken: string
  mode: CheckoutMode
  holdMs: number
  /** The tap on a wallet's button that starts this checkout; left out for every other checkout. */
  tapId?: string | undefined
  /** The proof of work that an earlier call required, and whether this browser can compute one or can only wait. */
  proof?: { given?: string; kind: 'work' | 'wait' }
}

/** The input with the id of the value that the buyer chose; null for a drop without options. */
type Wanted = OpenHoldInput & { valueId: number | null }

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
 *   OPTION_IN_CHECKOUT, COUNTRY_MISSING, COUNTRY_UNKNOWN, COUNTRY_REFUSED, COUNTRY_NOT_ASKED, CODE_UNKNOWN,
 *   CODE_OTHER_DROP, CODE_ENDED, CODE_USED_UP, TOO_MANY_CODES, WORK_NEEDED, ALREADY_PAID, STRIPE_AWAY,
 *   SELLER_LIMIT, SELLER_HOME, OFTEN_REFUNDED, RESTARTED_OFTEN, and the errors of EarlyProblem
 */
export async function openHold(ctx: Context, input: OpenHoldInput, round = 1): Promise<OpenedHold> {
  if (ctx.payments === 'off') throw orderError('PAYMENTS_OFF')
  const found = await findDropOnSale(ctx, input.dropId)
  if (!found || found.id !== input.dropId) throw orderError('DROP_NOT_FOUND')
  const buyerKey = buyerKeyOf(input.buyerToken)
  const link = await chooseEarlyLink(ctx, found, { token: input.early, buyerKey, quantity: input.quantity })
  const drop = link ? openForFollower(found) : found
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw orderError('OWN_DROP')
  if (drop.priceCents * input.quantity > MAX_PRICE_CENTS) throw orderError('TOO_MUCH_AT_ONCE')
  if (drop.maxPerBuyer !== null && input.quantity > drop.maxPerBuyer) throw aboveLimit(drop.maxPerBuyer)

  // The checkout is read after the drop, so that a checkout of this buyer that took the last unit is found.
  const { open, unanswered } = await findBuyersCheckout(ctx, drop.id, buyerKey)
  // A closed drop is refused before the choice is checked, because an error about the choice would reveal the drop's
  // option.
  const closed = open?.isHeld ? null : whyClosed(drop)
  if (closed) throw refuse(drop, closed)
  const valueId = chooseValue(drop, input.selectedVariants, open)
  const { shipsTo, shippingCents } = chooseCountry(drop, input.country, open)
  if (drop.priceCents * input.quantity + shippingCents > MAX_PRICE_CENTS) throw orderError('TOO_MUCH_AT_ONCE')
  const code = await chooseCode(ctx, drop, { typed: input.code, buyerKey }, open ?? unanswered)
  const codeId = code?.id ?? null
  const none = open?.isHeld ? null : whyNot(drop, input.quantity, valueId)
  if (none) throw refuse(drop, none)
  await assertBuyerLimits(ctx, drop, { buyerKey, quantity: input.quantity, code })
  const mayBeRefunded = drop.maxPerBuyer !== null || code?.perBuyer || shipsTo !== null
  if (!open?.isHeld && mayBeRefunded) await assertFewRefundedPayments(ctx, buyerKey)
  const chosen = { valueId, codeId, shipsTo }
  const isTheSame = isSameAs(input, chosen)
  // When the units of a checkout go back on sale, so does the use of its code. If someone else has that use now,
  // paying would only lead to a refund.
  if (open?.isYielded && isTheSame(open)) await assertUseLeft(ctx, code)
  if (open?.stripeId && isTheSame(open)) return { kind: 'open', open }
  if (open && open.waitMs !== null && isTheSame(open)) return { kind: 'waiting', drop, open, waitMs: open.waitMs }
  if (open?.isOpening) return joinOtherCall(ctx, input, isTheSame, round)
  // The process that requested this checkout from Stripe has died. Another request with the same idempotency key returns
  // the object that Stripe created then.
  if (open && isTheSame(open)) return { kind: 'fresh', drop, hold: { ...open, isRetry: true } }
  await assertRedeemable(ctx, code, open)
  const wanted = { ...input, valueId }
  const unitCents = drop.priceCents - (code ? discountOf(drop.priceCents, code) : 0)
  const amountCents = unitCents * input.quantity + shippingCents
  const origin = open ? await startOver(ctx, drop, { ...wanted, amountCents }, open) : null

  const since = performance.now()
  /** The drop as another call read it during the wait, if it has no unit for this buyer either. */
  const seenWithoutUnit = () => {
    const seen = link ? null : latestLook(drop.id, since)
    return seen && whyNot(seen, input.quantity, valueId) ? seen : null
  }
  let hold: TakenHold | null
  try {
    const { quantity, mode, holdMs, tapId } = input
    const from = { dropId: drop.id, isHomeOnly: drop.isHomeOnly ?? false, earlyLinkId: link?.linkId ?? null }
    const units = { ...chosen, ...from, quantity, buyerKey, mode, tapId }
    hold = unanswered ? await holdWithinLimit(ctx, drop, (tx) => reopenHold(tx, units)) : null
    if (!hold) {
      const network = origin ?? (await readOrigin(ctx, drop, wanted, buyerKey))
      const taking = { ...units, holdMs, ip: ctx.ip, origin: network }
      // A transaction must not wait in the queue of the row.
      hold = isLimited(ctx, drop)
        ? await holdWithinLimit(ctx, drop, (tx) => takeHold(tx, taking))
        : await queueForRow(`drop-${drop.id}`, async () => (seenWithoutUnit() ? null : takeHold(ctx, taking)))
    }
  } catch (error) {
    // This proof of work was already used for another hold.
    if (uniqueViolation(error)?.includes('workId')) throw await needWork(ctx, drop, wanted, buyerKey)
    // The buyer pressed Buy twice at the same time: the other call holds the unit and opens the session.
    if (uniqueViolation(error)?.includes('Hold_one_open_per_buyer')) return joinOtherCall(ctx, input, isTheSame, round)
    // Two checkouts used the follower's link at the same time. If both are this buyer's, the other call is found below.
    if (!uniqueViolation(error)?.includes('Hold_one_per_early_link')) throw error
    hold = null
  }
  if (hold) {
    countHold('held')
    return { kind: 'fresh', drop, hold }
  }
  // The buyer pressed Buy twice at the same time, and the other call got the last unit.
  if (await findOpenCheckout(ctx, drop.id, buyerKey)) return joinOtherCall(ctx, input, isTheSame, round)
  const read = seenWithoutUnit() ?? (await lookAt(drop.id, () => findDropOnSale(ctx, drop.id)))
  if (!read) throw orderError('DROP_NOT_FOUND')
  // The public start came between the check of the link and the statement, so nobody needs a link anymore.
  if (link && dropState(read, read.now) === 'live') return openHold(ctx, { ...input, early: undefined }, round)
  if (link) await chooseEarlyLink(ctx, read, { token: input.early, buyerKey, quantity: input.quantity })
  const now = link ? openForFollower(read) : read
  const reason = whyNot(now, input.quantity, valueId)
  // The country may come from the checkout that was closed above, so the buyer is not asked for it again.
  if (!reason) chooseCountry(now, shipsTo ?? '')
  if (!reason && code) await assertRedeemable(ctx, await findCode(ctx, now.id, code.code))
  throw reason ? refuse(now, reason) : await needWork(ctx, now, wanted, buyerKey)
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
  isTheSame: (open: OpenCheckout) => boolean,
  round: number,
): Promise<OpenedHold> {
  const buyerKey = buyerKeyOf(input.buyerToken)
  const open = await waitForOtherCall(ctx, input.dropId, buyerKey)
  if (isTheSame(open)) return { kind: 'open', open }
  if (round >= MOST_ROUNDS) throw callAgain()
  return openHold(ctx, input, round + 1)
}

/**
 * Closes this buyer's open checkout, which must no longer be payable once the buyer starts a different one for this
 * drop. The open checkout stays if the wanted units are not free, if they exceed the seller's limit, or if a proof of
 * work is needed first.
 * @returns the network that the new hold counts for, and the work done for it
 * @throws the errors of whyNot(), RESTARTED_OFTEN, SELLER_LIMIT, WORK_NEEDED, and ALREADY_PAID when the open checkout
 *   turns out to be paid. A buyer who never saw the outcome of that payment must not pay twice.
 */
async function startOver(ctx: Context, drop: DropRow, input: Wanted & { amountCents: number }, open: OpenCheckout) {
  const reason = open.isHeld ? whyNot(withFreed(drop, open), input.quantity, input.valueId) : null
  if (reason) throw refuse(drop, reason)
  const buyerKey = buyerKeyOf(input.buyerToken)
  const origin = await readOrigin(ctx, drop, input, buyerKey)
  if (!origin.work) {
    const { valueId, quantity } = input
    const loads = await readCheckoutLoad(ctx, { dropId: drop.id, valueId, originKey: origin.key })
    const after = loads.map((load) => withoutCheckout(load, open))
    if (requiredWorkForAll(after, quantity) > 0) throw await needWork(ctx, drop, input, buyerKey, after)
  }
  await assertWithinLimit(ctx, drop, { amountCents: input.amountCents, freedCents: open.amountCents })
  await assertFewRestarts(drop.id, buyerKey)
  const closed = await closeCheckout(ctx, open, 'restarted')
  if (closed === 'paid') throw alreadyPaid(open.stripeId ?? '')
  return origin
}

/** The drop as it would be if the units of this checkout were free again. */
function withFreed(drop: DropRow, { quantity, valueId }: OpenCheckout): DropRow {
  const free = <Units extends { held: number }>(units: Units) => ({ ...units, held: units.held - quantity })
  const { option } = drop
  const values = option?.values.map((value) => (value.id === valueId ? free(value) : value))
  return { ...free(drop), option: option && values ? { ...option, values } : null }
}

/** The load as it would be once this checkout is closed and counts as one that ended unpaid. */
function withoutCheckout(load: CheckoutLoadOf, checkout: OpenCheckout): CheckoutLoadOf {
  const { isHeld, quantity, valueId, keptPart, waitMs } = checkout
  if (!isHeld) return load
  const { unpaid, ownUnpaid, ownExpired } = load
  const freed = load.valueId === null || load.valueId === valueId ? quantity : 0
  const isWaiting = waitMs !== null && waitMs > 0
  return {
    ...load,
    unpaid: unpaid - freed,
    ownUnpaid: ownUnpaid - freed,
    ownExpired: ownExpired + keptPart,
    ownWaiting: load.ownWaiting - (isWaiting ? 1 : 0),
    wasKeptUnpaid: load.wasKeptUnpaid || (freed > 0 && keptPart * KEPT_WHOLE_SECONDS > KEPT_UNPAID_SECONDS),
  }
}

/** The work for a hold, in hashes: what the drop requires, or what the wanted value requires if that is more. */
function requiredWorkForAll(loads: readonly CheckoutLoad[], quantity: number): number {
  return Math.max(0, ...loads.map((load) => requiredWork(load, quantity)))
}

/**
 * A proof of work is still enough while the work needed now is at most this many times the work that was required then.
 */
const GROWTH = 4

/**
 * Returns the network that the hold counts for, and the work that was done for it if that is enough for the current
 * load.
 * @throws WORK_NEEDED when the drop is under load and no work was done, or when a browser that can only wait has
 *   come back too early. The statement that takes units has not run then, so a flood of such calls costs little.
 */
async function readOrigin(ctx: Context, drop: DropRow, input: Wanted, buyerKey: string) {
  const { proof, dropId, valueId, quantity } = input
  const key = originKeyOf(ctx, buyerKey)
  const done = checkWork(ctx, proof?.given, { dropId, quantity, originKey: key, buyerKey })
  if (!done) {
    // For most drops, the row that was read already shows that no work is needed. Only a crowded drop costs a query.
    const stocks = [drop, ...(drop.option?.values.filter(({ id }) => id === valueId) ?? [])]
    const isAnyCrowded = stocks.some((stock) => isCrowded({ unsold: unsoldUnits(stock), unpaid: stock.held }, quantity))
    if (!isAnyCrowded) return { key, work: null }
    // Units of a crowded drop may go back on sale while their payment page stays open, so a payment may come too late.
    await assertFewRefundedPayments(ctx, buyerKey)
    const loads = await readCheckoutLoad(ctx, { dropId, valueId, originKey: key })
    if (!loads.some((load) => isCrowdedForLong(load, quantity))) return { key, work: null }
    throw await needWork(ctx, drop, input, buyerKey, loads)
  }
  if (done.waitMs > 0) {
    throw orderError('WORK_NEEDED', { work: proof?.given, retryAfterSeconds: Math.ceil(done.waitMs / SECOND_MS) })
  }
  const loads = await readCheckoutLoad(ctx, { dropId, valueId, originKey: key })
  const isEnough = done.work * GROWTH >= requiredWorkForAll(loads, quantity)
  // Several proofs may arrive at the same time, each of them computed for what the network has in checkout now. These
  // limits let all of them together add at most as many units as a network gets without work (ownPart()).
  const mostOf = (load?: CheckoutLoad) => (load ? load.ownUnpaid + ownPart(load) : 0)
  const mostUnpaid = mostOf(loads.find((load) => load.valueId === null))
  const mostValueUnpaid = mostOf(loads.find((load) => load.valueId !== null))
  return { key, work: isEnough ? { id: done.id, mostUnpaid, mostValueUnpaid } : null }
}

/**
 * Builds the error that requires work, with a token that says how much work is needed, and counts the refusal. The load
 * is read unless the caller passes it.
 */
async function needWork(
  ctx: Context,
  drop: DropRow,
  input: Wanted,
  buyerKey: string,
  known?: readonly CheckoutLoad[],
): Promise<AppError> {
  const who = { dropId: drop.id, quantity: input.quantity, originKey: originKeyOf(ctx, buyerKey), buyerKey }
  const { dropId, originKey } = who
  const loads = known ?? (await readCheckoutLoad(ctx, { dropId, originKey, valueId: input.valueId }))
  const work = Math.max(1, requiredWorkForAll(loads, input.quantity))
  const kind = input.proof?.kind ?? 'work'
  const token = await issueWorkToken(ctx, who, { work, kind })
  const waitMs = kind === 'wait' ? (checkWork(ctx, token, who)?.waitMs ?? 0) : SECOND_MS
  return refuse(drop, orderError('WORK_NEEDED', { work: token, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) }))
}

/**
 * Counts a refusal that the seller should see, and returns its error. The seller sees refusals of buyers who got no
 * hold although unsold units were left.
 */
function refuse(drop: DropRow, error: AppError): AppError {
  if (!['ALL_IN_CHECKOUT', 'OPTION_IN_CHECKOUT', 'NOT_ENOUGH_LEFT', 'WORK_NEEDED'].includes(error.code)) return error
  countRefusal(drop.id)
  countHold(error.code === 'WORK_NEEDED' ? 'work' : 'refused')
  return error
}

function isSameAs({ mode, quantity }: OpenHoldInput, chosen: Pick<OpenCheckout, 'valueId' | 'codeId' | 'shipsTo'>) {
  return (open: OpenCheckout): boolean =>
    !open.isExpired &&
    open.mode === mode &&
    open.quantity === quantity &&
    open.valueId === chosen.valueId &&
    open.codeId === chosen.codeId &&
    open.shipsTo === chosen.shipsTo
}

/**
 * Returns why a drop, as it was read, cannot provide that many units; null if it can. Because of this check, a crowd at
 * a sold-out drop is refused without a write. The update that takes the units makes the final decision.
 */
function whyNot(drop: DropRow, quantity: number, valueId: number | null): AppError | null {
  const closed = whyClosed(drop)
  if (closed) return closed
  if (drop.option) return whyNotValue(drop.option, quantity, valueId)
  const available = freeUnits(drop)
  if (available >= quantity) return null
  return orderError(available > 0 ? 'NOT_ENOUGH_LEFT' : 'ALL_IN_CHECKOUT')
}

function whyClosed(drop: DropRow): AppError | null {
  const state = dropState(drop, drop.now)
  if (state === 'ended') return orderError('DROP_ENDED')
  if (state === 'upcoming') return orderError('DROP_SCHEDULED', { text: notStartedText(drop.startedAt) })
  if (state === 'paused') return orderError('DROP_PAUSED')
  return state === 'soldOut' ? orderError('SOLD_OUT') : null
}
