import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS } from '@/lib/kernel/time'
import { areGoodsRefunded } from '@/lib/stock/unit-rules'

// Stripe calls this "separate charges and transfers" (docs/product.md#payouts): the buyer pays the platform, and the
// seller's net amount is transferred to the connected account when it is due.

/**
 * Physical orders become due when shipped, or after this many days if that is sooner. A parcel with a promised day may
 * have to wait for shipping (MOST_UNSHIPPED_CENTS).
 */
const PHYSICAL_TRANSFER_DAYS = 7

/**
 * The most that a seller gets before shipping for parcels with a promised day, in cents. If the day passes, the buyer
 * is refunded by rule, whatever the seller's account has (docs/product.md#late-parcels), so without a limit a seller
 * could sell to friends, take the payouts and let the parcels be late. It is the amount that the platform also risks
 * with refunds (MOST_UNCOVERED_CENTS). We chose the number.
 */
export const MOST_UNSHIPPED_CENTS = 50_000

/** The number of days for which the dashboard adds up what the seller's orders earned. */
export const EARNED_DAYS = 7

/** When the payout of an order paid at `paidAt` is due at the latest. */
export function transferDueAt(productType: ProductType, paidAt: Date): Date {
  return productType === 'physical' ? new Date(paidAt.getTime() + PHYSICAL_TRANSFER_DAYS * DAY_MS) : paidAt
}

type Parcel = Parameters<typeof areGoodsRefunded>[0] & {
  productType: ProductType
  status: string
  shipsBy: Date | null
}

/**
 * Whether an order is a parcel with a promised day that still has to be shipped. It must match isPromisedParcel of
 * payout-sums.ts in SQL.
 */
export function isPromisedParcel(order: Parcel, refunds: Parameters<typeof areGoodsRefunded>[1]): boolean {
  const isPromised = order.productType === 'physical' && order.status === 'paid' && order.shipsBy !== null
  return isPromised && !areGoodsRefunded(order, refunds)
}

/** The amount transferred: the payout less the card fee, never below zero (docs/product.md#fees). */
export function netCents(sellerPayoutCents: number, cardFeeCents: number): number {
  return Math.max(0, sellerPayoutCents - cardFeeCents)
}

/**
 * The deduction from the seller for a refund: the refunded amount less the platform fee that is returned with it, at
 * most the payout.
 * @returns cents. `amountCents` is deducted from the payout. `feeOwedCents` is the part of it that exceeds the net
 *   payout and that the seller owes. It exists because Stripe keeps the card fee of a refunded payment, which the
 *   seller bears (docs/product.md#fees).
 */
export function refundDeduction(input: {
  refundedCents: number
  refundedFeeCents: number
  /** The payout before the card fee. */
  sellerPayoutCents: number
  /** The payout after the card fee. */
  netPayoutCents: number
}): { amountCents: number; feeOwedCents: number } {
  const { refundedCents, refundedFeeCents, sellerPayoutCents, netPayoutCents } = input
  const amountCents = Math.min(sellerPayoutCents, Math.max(0, refundedCents - refundedFeeCents))
  return { amountCents, feeOwedCents: Math.max(0, amountCents - netPayoutCents) }
}

/** The columns from which a payout's sums are calculated, all in cents. */
export type PayoutSums = {
  amountCents: number
  deductedCents: number
  feeOwedCents: number
  withheldCents: number
  recoveredCents: number
  sentCents: number | null
  sentAgainCents: number
  reversedAtStripeCents: number
}

/**
 * The amount that the seller should receive for an order in the end; negative when the seller owes money. Must match
 * `target` of payout-sums.ts in SQL.
 */
export function targetCents(payout: PayoutSums): number {
  return payout.amountCents - payout.deductedCents - payout.feeOwedCents - payout.withheldCents + payout.recoveredCents
}

/** The amount that the seller's account has received for an order, less reversals. Must match payoutSums.out in SQL. */
export function sentOutCents(payout: PayoutSums): number {
  return (payout.sentCents ?? 0) + payout.sentAgainCents - payout.reversedAtStripeCents
}

/**
 * The amount that the seller owes for an order and that is withheld from later payouts. Must match payoutSums.debt in
 * SQL.
 */
export function debtCents(payout: PayoutSums & { reversalRefusedAt: Date | null }): number {
  const target = targetCents(payout)
  return Math.max(0, payout.reversalRefusedAt ? sentOutCents(payout) - target : -target)
}

/**
 * The amount that an administrator has to pay again for a payout that was paid by hand, because a refund that had
 * reduced it failed later. It is above zero where payoutSums.isPaidShort is true in SQL.
 */
export function dueAgainCents(payout: PayoutSums & { paidByHandAt: Date | null }): number {
  return payout.paidByHandAt ? Math.max(0, targetCents(payout) - sentOutCents(payout)) : 0
}

type Sum = { id: string; cents: number }

/**
 * Decides which payout pays which debt. Debts and payouts are used in the given sequence. A payout never pays the debt
 * of its own order.
 * @returns one entry per pair of a payout and a debt. Neither is ever exceeded.
 */
export function splitDebts(
  debts: readonly Sum[],
  payables: readonly Sum[],
): { fromId: string; forId: string; cents: number }[] {
  const offsets: { fromId: string; forId: string; cents: number }[] = []
  const open = debts.map((debt) => ({ ...debt }))
  for (const { id: fromId, cents: payable } of payables) {
    let left = payable
    for (const debt of open) {
      const cents = debt.id === fromId ? 0 : Math.min(left, debt.cents)
      if (cents === 0) continue
      offsets.push({ fromId, forId: debt.id, cents })
      debt.cents -= cents
      left -= cents
    }
  }
  return offsets
}

/**
 * Returns how many cents have to be sent again for a payout that was sent through Stripe and then taken back, because
 * the refund has failed or the seller has won the dispute.
 */
export function againCents(payout: PayoutSums & { sentAt: Date | null; paidByHandAt: Date | null }): number {
  if (!payout.sentAt || payout.paidByHandAt) return 0
  return Math.max(0, Math.max(0, targetCents(payout)) - sentOutCents(payout))
}

export type PayoutsState = 'notStarted' | 'incomplete' | 'review' | 'paused' | 'ready' | 'disconnected'

/** The fields of a connected account at Stripe that matter here. */
export type AccountFacts = {
  details_submitted: boolean
  payouts_enabled: boolean
  capabilities?: { transfers?: string }
  requirements?:
    | { currently_due: string[] | null; pending_verification: string[] | null; disabled_reason?: string | null }
    | undefined
}

/** Stripe's reasons for a restriction that lasts only while the account is being reviewed. */
const REVIEW_REASONS = ['requirements.pending_verification', 'under_review']

/** The state of an account that Stripe knows. Payouts are sent only while it is `ready`. */
export function payoutsStateOf(account: AccountFacts): PayoutsState {
  if (account.capabilities?.transfers === 'active' && account.payouts_enabled) return 'ready'
  const reason = account.requirements?.disabled_reason
  if (account.details_submitted && reason && !REVIEW_REASONS.includes(reason)) return 'paused'
  if (!account.details_submitted || account.requirements?.currently_due?.length) return 'incomplete'
  return 'review'
}

/**
 * A platform in one of these countries can pay sellers in all of them. Stripe's transfers cross borders only between
 * the US, Canada, the UK, Switzerland and the European Economic Area (docs/product.md#payouts).
 */
export const PAYOUT_COUNTRIES = [
  'US', 'CA', 'GB', 'CH', 'AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IS', 'IT',
  'LV', 'LI', 'LT', 'LU', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE',
] as const // prettier-ignore

export type PayoutCountry = (typeof PAYOUT_COUNTRIES)[number]

/** A payout takes 2-7 business days (docs/product.md#when-a-payout-is-sent). */
const FASTEST_BUSINESS_DAYS = 2
const SLOWEST_BUSINESS_DAYS = 7

function addBusinessDays(from: Date, days: number): Date {
  let at = from
  for (let left = days; left > 0;) {
    at = new Date(at.getTime() + DAY_MS)
    if (at.getUTCDay() !== 0 && at.getUTCDay() !== 6) left -= 1
  }
  return at
}

/** The range of days in which a transfer sent at `sentAt` reaches the seller's bank. */
export function expectedArrival(sentAt: Date): { earliest: Date; latest: Date } {
  return {
    earliest: addBusinessDays(sentAt, FASTEST_BUSINESS_DAYS),
    latest: addBusinessDays(sentAt, SLOWEST_BUSINESS_DAYS),
  }
}

/**
 * The currency in which Stripe settled a payment, if its payout has to wait because of it; null when the payout is sent
 * as usual. Must match payoutSums.isInOtherCurrency in SQL.
 */
export function waitsInCurrency(
  payout: PayoutSums & { state: string },
  order: { currency: string; settlementCurrency: string | null },
): string | null {
  const { currency, settlementCurrency } = order
  if (payout.state !== 'waiting' || payout.sentCents !== null || targetCents(payout) <= 0) return null
  return settlementCurrency === null || settlementCurrency === currency ? null : settlementCurrency.toUpperCase()
}

/** The message of an error, cut to 300 characters so that it can be stored in the row that failed. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : 'unknown'
}

/**
 * Returns the time before which no money is sent to a seller, or null. A new account waits for a while (ADR 0069), and
 * an administrator may have stopped the payouts. payoutSums has the same rule in SQL.
 */
export function nothingSentBefore({ payoutsHeldUntil, payoutsStoppedUntil }: PayoutPauses): Date | null {
  if (!payoutsHeldUntil || !payoutsStoppedUntil) return payoutsHeldUntil ?? payoutsStoppedUntil
  return payoutsHeldUntil > payoutsStoppedUntil ? payoutsHeldUntil : payoutsStoppedUntil
}

type PayoutPauses = { payoutsHeldUntil: Date | null; payoutsStoppedUntil: Date | null }
