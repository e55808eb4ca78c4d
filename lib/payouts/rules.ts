import { DAY_MS } from '@/lib/kernel/time'

/**
 * The charge strategy, and its one owner: separate charges and transfers (DECISIONS 1). The buyer pays the platform;
 * the seller's net is transferred to the connected account when it is due.
 */

/** Physical drops are paid out at "shipped" or after this long, whichever is first. */
const PHYSICAL_TRANSFER_DAYS = 7

/** When the seller's share of an order paid at `paidAt` is due at the latest. */
export function transferDueAt(productType: 'physical' | 'digital' | 'service', paidAt: Date): Date {
  return productType === 'physical' ? new Date(paidAt.getTime() + PHYSICAL_TRANSFER_DAYS * DAY_MS) : paidAt
}

/** What is transferred: the payout less what the card cost, never below nothing (DECISIONS 2). */
export function netCents(sellerPayoutCents: number, cardFeeCents: number): number {
  return Math.max(0, sellerPayoutCents - cardFeeCents)
}

/** What a refund takes back from the seller: their part of it, and never more than they were to get. Cents. */
export function shareToTakeBack(refundedCents: number, refundedFeeCents: number, shareCents: number): number {
  return Math.min(shareCents, Math.max(0, refundedCents - refundedFeeCents))
}

/** What the seller's account holds of a share that was sent, as far as we noted. Cents. */
export function shareOutCents(transfer: { sentCents: number; sentAgainCents: number; takenBackCents: number }): number {
  return transfer.sentCents + transfer.sentAgainCents - transfer.takenBackCents
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

/** SPEC §1: payouts take 2–7 business days. */
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
