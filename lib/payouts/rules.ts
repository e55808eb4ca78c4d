import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS } from '@/lib/kernel/time'

/**
 * The charge strategy, and its one owner: separate charges and transfers (docs/product.md#payouts). The buyer pays the platform;
 * the seller's net is transferred to the connected account when it is due.
 */

/** Physical drops are paid out at "shipped" or after this long, whichever is first. */
const PHYSICAL_TRANSFER_DAYS = 7

/** When the seller's share of an order paid at `paidAt` is due at the latest. */
export function transferDueAt(productType: ProductType, paidAt: Date): Date {
  return productType === 'physical' ? new Date(paidAt.getTime() + PHYSICAL_TRANSFER_DAYS * DAY_MS) : paidAt
}

/** What is transferred: the payout less what the card cost, never below nothing (docs/product.md#fees). */
export function netCents(sellerPayoutCents: number, cardFeeCents: number): number {
  return Math.max(0, sellerPayoutCents - cardFeeCents)
}

/**
 * What a refund takes from the seller: the refunded amount less the platform fee that goes back with it, at most the payout.
 * @returns what is taken of the net payout, and what the seller owes beyond it: Stripe keeps the card fee of a refunded
 * payment, and the seller bears it (docs/product.md#fees). Cents.
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

/** The columns of a payout that its sums are made of, all in cents. */
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

/** What the seller is to have of an order in the end; negative when the seller owes. As `target` of payout-sums.ts in SQL. */
export function targetCents(payout: PayoutSums): number {
  return payout.amountCents - payout.deductedCents - payout.feeOwedCents - payout.withheldCents + payout.recoveredCents
}

/** What the seller's account has received of an order, less what reversals brought back. As payoutSums.out in SQL. */
export function sentOutCents(payout: PayoutSums): number {
  return (payout.sentCents ?? 0) + payout.sentAgainCents - payout.reversedAtStripeCents
}

/** What the seller owes for an order, to be kept back from later payouts. As payoutSums.debt in SQL. */
export function debtCents(payout: PayoutSums & { reversalRefusedAt: Date | null }): number {
  const target = targetCents(payout)
  return Math.max(0, payout.reversalRefusedAt ? sentOutCents(payout) - target : -target)
}

type Sum = { id: string; cents: number }

/**
 * Which debt is paid by which payout: the oldest debts first, from the payouts in the order given, each used up to its end.
 * @returns one entry per pair; the cents of no payout and no debt are exceeded.
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

export type PayoutsState = 'notStarted' | 'incomplete' | 'review' | 'paused' | 'ready'

/** What Stripe says about a connected account, as far as it matters here. */
export type AccountFacts = {
  details_submitted: boolean
  payouts_enabled: boolean
  capabilities?: { transfers?: string }
  requirements?:
    | { currently_due: string[] | null; pending_verification: string[] | null; disabled_reason?: string | null }
    | undefined
}

/** Why Stripe holds an account back while nothing is wrong with it: somebody looks at it. */
const LOOKED_AT = ['requirements.pending_verification', 'under_review']

/** The four states of an account, each with one next step. Money is sent in the last one only. */
export function payoutsStateOf(account: AccountFacts): PayoutsState {
  if (account.capabilities?.transfers === 'active' && account.payouts_enabled) return 'ready'
  const reason = account.requirements?.disabled_reason
  if (account.details_submitted && reason && !LOOKED_AT.includes(reason)) return 'paused'
  if (!account.details_submitted || account.requirements?.currently_due?.length) return 'incomplete'
  return 'review'
}

/** A payout takes 2–7 business days (docs/product.md#when-a-payout-is-sent). */
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

/** Between which days a transfer sent at `sentAt` reaches the seller's bank. */
export function expectedArrival(sentAt: Date): { earliest: Date; latest: Date } {
  return {
    earliest: addBusinessDays(sentAt, FASTEST_BUSINESS_DAYS),
    latest: addBusinessDays(sentAt, SLOWEST_BUSINESS_DAYS),
  }
}

/** Why something failed, short enough to be kept with the row it failed for. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : 'unknown'
}
