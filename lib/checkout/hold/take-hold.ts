import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { policiesDated } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import type { HeldOrder } from '../queries'
import { CONTESTED_HOLD_MS } from '../rules'
import { takeHoldSql } from './take-hold-sql'

/** @property isRetry whether this order was sent to Stripe before, with an unknown result */
export type TakenHold = HeldOrder & { isRetry: boolean }

/**
 * A proof of work. It is enough while the network has at most `mostUnpaid` units in checkout, and at most
 * `mostValueUnpaid` of the wanted value. Both counts include the units of this hold. Above these numbers, a hold
 * needs more work.
 */
type DoneWork = { id: string; mostUnpaid: number; mostValueUnpaid?: number }

/** Which units to hold, for whom and for how long. */
export type HoldInput = {
  dropId: number
  quantity: number
  /** The chosen value of the drop's option (chooseValue()); left out for a drop without options. */
  valueId?: number | null
  /** The discount code (chooseCode()); left out without one. */
  codeId?: number | null
  /** The follower's link, with which the units are taken before the public start; left out for everyone else. */
  earlyLinkId?: number | null
  /** The country that the buyer chose (chooseCountry()); left out when the price includes shipping to all countries. */
  shipsTo?: string | null
  /** Whether the drop has no zones, and its seller ships only to that country for now (limitToHome()). */
  isHomeOnly?: boolean
  /** Whether the country is chosen later, as by a person on the waitlist (claimUnit()). */
  isOffer?: boolean
  /** Identifies the buyer. A unique index refuses a second open hold of one buyer on one drop. */
  buyerKey: string
  mode: CheckoutMode
  /** The tap on a wallet's button that takes the units; left out for every other checkout. */
  tapId?: string | null | undefined
  holdMs: number
  /**
   * The network the buyer comes from, and the work that was done for this hold; null when none was done. Without an
   * origin, no limit applies here. Units that are offered to the waitlist have none, because offerFreedUnits() limits
   * them itself.
   */
  origin?: { key: string; work: DoneWork | null }
  /** The buyer's network address. It is stored as evidence for a dispute. */
  ip?: string
}

/**
 * Holds units for one buyer and writes the pending order with its price, fee, payout and the page's content. One
 * statement checks the conditions and makes the changes, so that concurrent buyers cannot oversell. The table's CHECK
 * constraint is a second safeguard (docs/product.md#holds). The statement commits by itself. In a longer transaction,
 * every other buyer of the drop would wait while results travel between database and application
 * (docs/performance.md#the-hot-row). Calls from one network for one drop run one after the other, so that each counts
 * the units that the others took (docs/product.md#when-many-buy-at-once). A discount code is redeemed in the same
 * statement. Purchases without a code use a different statement, which locks no code (ADR 0055). Purchases with a
 * follower's link also have a statement of their own. It takes units only before the public start, and the others only
 * after it (ADR 0066).
 *
 * If you add a condition here, add it to reopenHold() and markPaid() too, because they also take free units. If it
 * concerns late payments, add it to HAS_UNITS of check-wallet-payment.ts as well.
 * @returns null when the drop is not live, has ended by the database's clock or has too few units left, when the code
 *   can no longer be used, or when work has to be done first.
 * @throws a unique violation when this buyer already has an open hold on the drop, when the work was used before, or
 *   when the link is in another checkout.
 */
export async function takeHold({ sql }: Pick<Context, 'sql'>, input: HoldInput): Promise<TakenHold | null> {
  const ids = { holdId: newId('hold'), orderId: newId('ord'), token: newSecret() }
  const { valueId, codeId, earlyLinkId } = input
  const { name, statement } = takeHoldSql({ earlyLinkId, codeId, valueId })
  const [row] = await sql<Omit<TakenHold, keyof typeof ids | 'isRetry'>>(name, statement, {
    dropId: input.dropId,
    ...(valueId ? { valueId, mostValueUnpaid: input.origin?.work?.mostValueUnpaid ?? null } : {}),
    ...(codeId ? { codeId } : {}),
    ...(earlyLinkId ? { earlyLinkId } : {}),
    quantity: input.quantity,
    shipsTo: input.shipsTo ?? null,
    isOffer: input.isOffer ?? false,
    isHomeOnly: input.isHomeOnly ?? false,
    holdId: ids.holdId,
    orderId: ids.orderId,
    token: ids.token,
    buyerKey: input.buyerKey,
    mode: input.mode,
    tapId: input.tapId ?? null,
    freeBps: planRules({ plan: 'free', isAdmin: false }).feeBps,
    proBps: planRules({ plan: 'pro', isAdmin: false }).feeBps,
    holdMs: input.holdMs,
    contestedMs: Math.min(input.holdMs, CONTESTED_HOLD_MS),
    originKey: input.origin?.key ?? null,
    workId: input.origin?.work?.id ?? null,
    mostUnpaid: input.origin?.work?.mostUnpaid ?? null,
    termsDate: policiesDated.iso,
    ip: input.ip ?? '',
  })
  return row ? { ...ids, ...row, isRetry: false } : null
}
