import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import { countRefusal } from '@/lib/drops/count-refusal'
import { buyerKeyOf } from '@/lib/drops/count-tap'
import { findCode } from '@/lib/drops/code-queries'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropState } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { countHold } from '@/lib/infra/metrics'
import type { AppError } from '@/lib/kernel/app-error'
import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import { freeUnits, isCrowded, isPressed, ownPart, type Pressure, unsoldUnits, workFor } from '@/lib/stock/rules'
import { askForWork, checkWork } from './ask-for-work'
import { assertRedeemable, assertUseLeft, chooseCode } from './choose-code'
import { chooseValue, whyNotValue } from './choose-value'
import { closeCheckout } from './close-checkout'
import { aboveLimitText, notStartedText, orderError } from './messages'
import { originOf } from './origin-of'
import { findBuyersCheckout, findOpenCheckout, type OpenCheckout, type PressureOn, readPressure } from './queries'
import { reopenHold } from './reopen-hold'
import { takeHold, type TakenHold } from './take-hold'

export type OpenHoldInput = {
  dropId: number
  quantity: number
  /** The chosen value of each option of the drop, by the option's name; nothing for a drop without options. */
  selectedVariants?: Record<string, string>
  /** The discount code, as it was typed or as it is in the link; empty for none, left out to keep that of an open checkout. */
  code?: string
  buyerToken: string
  mode: CheckoutMode
  holdMs: number
  /** The answer to work that was asked for before, and whether this browser can work or only wait. */
  proof?: { given?: string; kind: 'work' | 'wait' }
}

/** What a buyer wants of a drop, with the value they chose. */
type Wanted = OpenHoldInput & { valueId: number | null }

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
 *   TOO_MUCH_AT_ONCE, ABOVE_LIMIT, NO_OPTIONS, OPTION_MISSING, OPTION_UNKNOWN, OPTION_SOLD_OUT, OPTION_IN_CHECKOUT,
 *   CODE_UNKNOWN, CODE_OTHER_DROP, CODE_ENDED, CODE_USED_UP, TOO_MANY_CODES, WORK_NEEDED, STRIPE_AWAY
 */
export async function openHold(ctx: Context, input: OpenHoldInput): Promise<OpenedHold> {
  if (ctx.payments === 'off') throw orderError('PAYMENTS_OFF')
  const drop = await findPublicDrop(ctx, String(input.dropId))
  if (!drop || drop.id !== input.dropId) throw orderError('DROP_NOT_FOUND')
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw orderError('OWN_DROP')
  if (drop.priceCents * input.quantity > MAX_PRICE_CENTS) throw orderError('TOO_MUCH_AT_ONCE')
  if (drop.maxPerBuyer !== null && input.quantity > drop.maxPerBuyer) {
    throw orderError('ABOVE_LIMIT', { text: aboveLimitText(drop.maxPerBuyer) })
  }

  const buyerKey = buyerKeyOf(input.buyerToken)
  // Read after the drop: if this buyer's own checkout took the last unit, it is seen here.
  const { open, unanswered } = await findBuyersCheckout(ctx, drop.id, buyerKey)
  // Before the choice: a drop that is not shown does not tell what its option is.
  const closed = open?.isHeld ? null : whyClosed(drop)
  if (closed) throw refuse(drop, closed)
  const valueId = chooseValue(drop, input.selectedVariants, open)
  const code = await chooseCode(ctx, drop, { typed: input.code, buyerKey }, open ?? unanswered)
  const codeId = code?.id ?? null
  const none = open?.isHeld ? null : whyNot(drop, input.quantity, valueId)
  if (none) throw refuse(drop, none)
  const isTheSame = isSameAs(input, { valueId, codeId })
  // Its use went back with its units, and paying would only lead to a refund when somebody else has it now.
  if (open?.isYielded && isTheSame(open)) await assertUseLeft(ctx, code)
  if (open?.stripeId && isTheSame(open)) return { kind: 'open', open }
  if (open && open.waitMs !== null && isTheSame(open)) return { kind: 'waiting', drop, open, waitMs: open.waitMs }
  if (open?.isOpening) return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.mode) }
  // The process that asked Stripe for this checkout has died. Asking again with the same idempotency key returns what
  // Stripe made.
  if (open && isTheSame(open)) return { kind: 'fresh', drop, hold: { ...open, isRetry: true } }
  await assertRedeemable(ctx, code, open)
  const wanted = { ...input, valueId }
  const origin = open ? await startOver(ctx, drop, wanted, open) : null

  let hold: TakenHold | null
  try {
    const { quantity, mode, holdMs } = input
    const units = { dropId: drop.id, quantity, valueId, codeId, buyerKey, mode }
    hold = unanswered ? await reopenHold(ctx, units) : null
    hold ??= await takeHold(ctx, {
      ...units,
      holdMs,
      ip: ctx.ip,
      origin: origin ?? (await readOrigin(ctx, drop, wanted, buyerKey)),
    })
  } catch (error) {
    // This proof has opened a checkout before.
    if (uniqueViolation(error)?.includes('workId')) throw await needWork(ctx, drop, wanted, buyerKey)
    // The same buyer pressed twice at once: the other call holds the unit and opens the session.
    if (uniqueViolation(error)?.includes('Hold_one_open_per_buyer'))
      return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.mode) }
    throw error
  }
  if (hold) {
    countHold('held')
    return { kind: 'fresh', drop, hold }
  }
  // The buyer pressed twice at once on the last unit, and their own other call has it.
  const own = await findOpenCheckout(ctx, drop.id, buyerKey)
  if (own && isTheSame(own)) return { kind: 'open', open: await waitForOtherCall(ctx, drop.id, buyerKey, input.mode) }
  const now = await findPublicDrop(ctx, String(drop.id))
  if (!now) throw orderError('DROP_NOT_FOUND')
  const reason = whyNot(now, input.quantity, valueId)
  if (!reason && code) await assertRedeemable(ctx, await findCode(ctx, now.id, code.code))
  throw reason ? refuse(now, reason) : await needWork(ctx, now, wanted, buyerKey)
}

/**
 * Closes this buyer's open checkout, which must no longer be payable when they want something else of this drop. While the
 * wanted units are not free, or work has to be done first, they keep the checkout they have.
 * @returns the network that the new hold counts for, and the work done for it
 * @throws the errors of whyNot(), and WORK_NEEDED
 */
async function startOver(ctx: Context, drop: DropRow, input: Wanted, open: OpenCheckout) {
  const reason = open.isHeld ? whyNot(withFreed(drop, open), input.quantity, input.valueId) : null
  if (reason) throw refuse(drop, reason)
  const buyerKey = buyerKeyOf(input.buyerToken)
  const origin = await readOrigin(ctx, drop, input, buyerKey)
  if (!origin.work) {
    const { valueId, quantity } = input
    const pressures = await readPressure(ctx, { dropId: drop.id, valueId, originKey: origin.key })
    const after = pressures.map((pressure) => withoutCheckout(pressure, open))
    if (workForAll(after, quantity) > 0) throw await needWork(ctx, drop, input, buyerKey, after)
  }
  await closeCheckout(ctx, open, 'restarted')
  return origin
}

/** The drop with the units of this checkout free again. */
function withFreed(drop: DropRow, { quantity, valueId }: OpenCheckout): DropRow {
  const free = <Units extends { held: number }>(units: Units) => ({ ...units, held: units.held - quantity })
  const { option } = drop
  const values = option?.values.map((value) => (value.id === valueId ? free(value) : value))
  return { ...free(drop), option: option && values ? { ...option, values } : null }
}

/** The pressure on the drop, or on a value, once this checkout is closed and counts as one that ended unpaid. */
function withoutCheckout(pressure: PressureOn, { isHeld, quantity, valueId, keptPart }: OpenCheckout): PressureOn {
  if (!isHeld) return pressure
  const { unpaid, ownUnpaid, ownExpired } = pressure
  const freed = pressure.valueId === null || pressure.valueId === valueId ? quantity : 0
  return { ...pressure, unpaid: unpaid - freed, ownUnpaid: ownUnpaid - freed, ownExpired: ownExpired + keptPart }
}

/** The work for a hold: what the drop asks for, or the wanted value if that is more. */
function workForAll(pressures: readonly Pressure[], quantity: number): number {
  return Math.max(0, ...pressures.map((pressure) => workFor(pressure, quantity)))
}

/** Limits count by a hash of the network, so that no address is stored for them. */
function originKeyOf(ctx: Context, buyerKey: string): string {
  return keyedHash('hold-origin', originOf(ctx, buyerKey)).slice(0, 32)
}

/** By which factor the work may have grown since it was asked for. */
const GROWTH = 4

/**
 * The network that the hold counts for, and the work that was done for it, if that is enough for the drop's pressure now.
 * @throws WORK_NEEDED when no work was done and the drop is pressed, before the statement that takes units runs, so that a
 *   flood of such calls costs little; and when a browser that can only wait has come back too early
 */
async function readOrigin(ctx: Context, drop: DropRow, input: Wanted, buyerKey: string) {
  const { proof, dropId, valueId, quantity } = input
  const key = originKeyOf(ctx, buyerKey)
  const done = checkWork(ctx, proof?.given, { dropId, originKey: key, buyerKey })
  if (!done) {
    // For most drops the row that was read already says that no work is needed; only a crowded drop costs a query.
    const stocks = [drop, ...(drop.option?.values.filter(({ id }) => id === valueId) ?? [])]
    const isAnyCrowded = stocks.some((stock) => isCrowded({ unsold: unsoldUnits(stock), unpaid: stock.held }, quantity))
    if (!isAnyCrowded) return { key, work: null }
    const pressures = await readPressure(ctx, { dropId, valueId, originKey: key })
    if (!pressures.some((pressure) => isPressed(pressure, quantity))) return { key, work: null }
    throw await needWork(ctx, drop, input, buyerKey, pressures)
  }
  if (done.waitMs > 0) {
    throw orderError('WORK_NEEDED', { work: proof?.given, retryAfterSeconds: Math.ceil(done.waitMs / SECOND_MS) })
  }
  const pressures = await readPressure(ctx, { dropId, valueId, originKey: key })
  const isEnough = done.work * GROWTH >= workForAll(pressures, quantity)
  // Several proofs may arrive at once, each priced for what the network has now. Together they get at most one more part.
  const mostOf = (pressure?: Pressure) => (pressure ? pressure.ownUnpaid + ownPart(pressure) : 0)
  const mostUnpaid = mostOf(pressures.find((pressure) => pressure.valueId === null))
  const mostValueUnpaid = mostOf(pressures.find((pressure) => pressure.valueId !== null))
  return { key, work: isEnough ? { id: done.id, mostUnpaid, mostValueUnpaid } : null }
}

/** The error that asks for work, with the token that says how much. The pressure is read when it is not known yet. */
async function needWork(
  ctx: Context,
  drop: DropRow,
  input: Wanted,
  buyerKey: string,
  known?: readonly Pressure[],
): Promise<AppError> {
  const who = { dropId: drop.id, originKey: originKeyOf(ctx, buyerKey), buyerKey }
  const { dropId, originKey } = who
  const pressures = known ?? (await readPressure(ctx, { dropId, originKey, valueId: input.valueId }))
  const work = Math.max(1, workForAll(pressures, input.quantity))
  const kind = input.proof?.kind ?? 'work'
  const token = await askForWork(ctx, who, { work, kind })
  const waitMs = kind === 'wait' ? (checkWork(ctx, token, who)?.waitMs ?? 0) : SECOND_MS
  return refuse(drop, orderError('WORK_NEEDED', { work: token, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) }))
}

/** Counts a refusal that the seller should see: somebody wanted units while there were some, and did not get a hold. */
function refuse(drop: DropRow, error: AppError): AppError {
  if (!['ALL_IN_CHECKOUT', 'OPTION_IN_CHECKOUT', 'NOT_ENOUGH_LEFT', 'WORK_NEEDED'].includes(error.code)) return error
  countRefusal(drop.id)
  countHold(error.code === 'WORK_NEEDED' ? 'work' : 'refused')
  return error
}

function isSameAs({ mode, quantity }: OpenHoldInput, chosen: Pick<OpenCheckout, 'valueId' | 'codeId'>) {
  return (open: OpenCheckout): boolean =>
    !open.isExpired &&
    open.mode === mode &&
    open.quantity === quantity &&
    open.valueId === chosen.valueId &&
    open.codeId === chosen.codeId
}

/**
 * Says why a drop, as it was read, does not have that many units. This check only refuses early: the update that takes
 * the units decides. With it a crowd at a sold-out drop is refused without a write.
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
  if (state === 'scheduled') return orderError('DROP_SCHEDULED', { text: notStartedText(drop.startedAt) })
  if (state === 'paused') return orderError('DROP_PAUSED')
  return state === 'soldOut' ? orderError('SOLD_OUT') : null
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
  mode: CheckoutMode,
): Promise<OpenCheckout> {
  for (let attempt = 0; attempt < OTHER_CALL_TRIES; attempt += 1) {
    const open = await findOpenCheckout(ctx, dropId, buyerKey)
    if (open?.stripeId && open.mode === mode) return open
    // The other call has put the buyer into the line.
    if (!open || open.waitMs !== null) break
    await new Promise((resolve) => setTimeout(resolve, OTHER_CALL_PAUSE_MS))
  }
  throw orderError('STRIPE_AWAY', { retryAfterSeconds: 2 })
}
