import 'server-only'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import type { AppError } from '@/lib/kernel/app-error'
import { SECOND_MS } from '@/lib/kernel/time'
import {
  type CheckoutLoad,
  isCrowded,
  isCrowdedForLong,
  KEPT_UNPAID_SECONDS,
  ownPart,
  requiredWork,
  unsoldUnits,
} from '@/lib/stock/rules'
import { assertFewRefundedPayments } from './assert-few-refunded-payments'
import { checkWork, issueWorkToken } from './issue-work-token'
import { checkoutError } from '../messages'
import { originKeyOf } from './origin-of'
import { KEPT_WHOLE_SECONDS, type OpenCheckout } from '../queries'
import { type CheckoutLoadOf, CLOSED_PART, readCheckoutLoad } from './read-checkout-load'
import { countedRefusal } from '../choices/why-not'

/** The units for which work may be needed, and what the browser sent about its work. */
type WorkInput = {
  dropId: number
  quantity: number
  valueId: number | null
  codeId: number | null
  /** The proof of work that an earlier call required, and whether this browser can compute one or can only wait. */
  proof?: { given?: string; kind: 'work' | 'wait' }
}

/** How much an order of `quantity` units takes: that many units, or one use of the discount code. */
const takenOf = (load: CheckoutLoadOf, quantity: number) => (load.of === 'code' ? 1 : quantity)

/** The work for a hold, in hashes: the most that the drop, the wanted value or the discount code requires. */
function requiredWorkForAll(loads: readonly CheckoutLoadOf[], quantity: number): number {
  return Math.max(0, ...loads.map((load) => requiredWork(load, takenOf(load, quantity))))
}

/**
 * A proof of work is still enough while the work needed now is at most this many times the work that was required then.
 */
const GROWTH = 4

/**
 * Returns the network that the hold counts for, and the work that was done for it if that is enough for the current
 * load. `mayYield` says that the drop or the code is crowded. Its units may then go back on sale while the payment page
 * stays open, so that a payment may come too late and be refunded.
 * @param from the buyer, and the buyer's own open checkout, which ends before the new one begins
 * @throws WORK_NEEDED when the drop is under load and no work was done, or when a browser that can only wait has
 *   come back too early. The statement that takes units has not run then, so a flood of such calls costs little.
 */
export async function readOrigin(
  ctx: Context,
  drop: DropRow,
  input: WorkInput,
  { buyerKey, exceptHoldId }: { buyerKey: string; exceptHoldId?: string },
) {
  const { proof, dropId, valueId, codeId, quantity } = input
  const key = originKeyOf(ctx, buyerKey)
  const done = checkWork(ctx, proof?.given, { dropId, quantity, originKey: key, buyerKey })
  if (!done) {
    // For most drops, the row that was read already shows that no work is needed. Only a crowded drop costs a query.
    const stocks = [drop, ...(drop.option?.values.filter(({ id }) => id === valueId) ?? [])]
    const isAnyCrowded = stocks.some((stock) => isCrowded({ unsold: unsoldUnits(stock), unpaid: stock.held }, quantity))
    if (!isAnyCrowded && codeId === null) return { key, work: null, mayYield: false }
    const loads = await readCheckoutLoad(ctx, { dropId, valueId, codeId, originKey: key })
    const isCodeCrowded = loads.some((load) => load.of === 'code' && isCrowded(load, 1))
    const mayYield = isAnyCrowded || isCodeCrowded
    if (mayYield) await assertFewRefundedPayments(ctx, { originKey: key, exceptHoldId })
    if (!loads.some((load) => isCrowdedForLong(load, takenOf(load, quantity)))) return { key, work: null, mayYield }
    throw await needWork(ctx, drop, input, buyerKey, loads)
  }
  if (done.waitMs > 0) {
    throw checkoutError('WORK_NEEDED', { work: proof?.given, retryAfterSeconds: Math.ceil(done.waitMs / SECOND_MS) })
  }
  const loads = await readCheckoutLoad(ctx, { dropId, valueId, codeId, originKey: key })
  const isEnough = done.work * GROWTH >= requiredWorkForAll(loads, quantity)
  // Several proofs may arrive at the same time, each of them computed for what the network has in checkout now. These
  // limits let all of them together add at most as many units as a network gets without work (ownPart()).
  const mostOf = (load?: CheckoutLoad) => (load ? load.ownUnpaid + ownPart(load) : 0)
  const mostUnpaid = mostOf(loads.find((load) => load.of === 'drop'))
  const mostValueUnpaid = mostOf(loads.find((load) => load.of === 'value'))
  return { key, work: isEnough ? { id: done.id, mostUnpaid, mostValueUnpaid } : null, mayYield: true }
}

/**
 * Builds the error that requires work, with a token that says how much work is needed, and counts the refusal. The load
 * is read unless the caller passes it.
 */
export async function needWork(
  ctx: Context,
  drop: DropRow,
  input: WorkInput,
  buyerKey: string,
  known?: readonly CheckoutLoadOf[],
): Promise<AppError> {
  const who = { dropId: drop.id, quantity: input.quantity, originKey: originKeyOf(ctx, buyerKey), buyerKey }
  const { dropId, originKey } = who
  const { valueId, codeId } = input
  const loads = known ?? (await readCheckoutLoad(ctx, { dropId, originKey, valueId, codeId }))
  const work = Math.max(1, requiredWorkForAll(loads, input.quantity))
  const kind = input.proof?.kind ?? 'work'
  const token = await issueWorkToken(ctx, who, { work, kind })
  const waitMs = kind === 'wait' ? (checkWork(ctx, token, who)?.waitMs ?? 0) : SECOND_MS
  return countedRefusal(
    drop,
    checkoutError('WORK_NEEDED', { work: token, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) }),
  )
}

/**
 * Refuses a new checkout that needs work once this buyer's open checkout is closed. Without this check, the open
 * checkout would be closed first, and the buyer would have neither of the two.
 * @param originKey the network that the new hold counts for
 * @throws WORK_NEEDED
 */
export async function assertNoWorkAfter(
  ctx: Context,
  drop: DropRow,
  input: WorkInput & { buyerKey: string; originKey: string },
  open: OpenCheckout,
): Promise<void> {
  const { valueId, codeId, quantity, originKey } = input
  const loads = await readCheckoutLoad(ctx, { dropId: drop.id, valueId, codeId, originKey })
  const after = loads.map((load) => withoutCheckout(load, open, codeId))
  if (requiredWorkForAll(after, quantity) > 0) throw await needWork(ctx, drop, input, input.buyerKey, after)
}

/**
 * The load as it would be once this checkout is closed and counts as one that ended unpaid.
 * @param codeId the discount code of the next checkout, to which a load of a code belongs
 */
function withoutCheckout(load: CheckoutLoadOf, checkout: OpenCheckout, codeId: number | null): CheckoutLoadOf {
  const { isHeld, quantity, valueId, keptPart } = checkout
  if (!isHeld) return load
  const { unpaid, ownUnpaid, ownExpired } = load
  if (load.of === 'code') {
    const freedUses = checkout.codeId === codeId ? 1 : 0
    return { ...load, unpaid: unpaid - freedUses, ownExpired: ownExpired + Math.max(keptPart, CLOSED_PART) }
  }
  const freed = load.of === 'drop' || load.valueId === valueId ? quantity : 0
  return {
    ...load,
    unpaid: unpaid - freed,
    ownUnpaid: ownUnpaid - freed,
    ownExpired: ownExpired + Math.max(keptPart, CLOSED_PART),
    wasKeptUnpaid: load.wasKeptUnpaid || (freed > 0 && keptPart * KEPT_WHOLE_SECONDS > KEPT_UNPAID_SECONDS),
  }
}
