import 'server-only'
import type { Transfer } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { consume } from '@/lib/infra/rate-limit'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { isStripeMissing, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { findOverpaidCents } from '@/lib/payouts/find-overpaid-cents'
import { MOST_UNCOVERED_CENTS, readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { readWaitingCents } from '@/lib/payouts/read-waiting-cents'
import { platformError } from '@/lib/platform/messages'
import { refundError } from './messages'
import { sentRefunds } from '@/lib/orders/refund-rules'

/**
 * The least that one unit of a currency was worth in dollars within the last ten years, which we rounded down. Stripe
 * converts transfers to the currency of the seller's account. Balances in other currencies do not count.
 */
const LEAST_WORTH: Record<string, number> = {
  usd: 1,
  eur: 0.9,
  gbp: 1,
  chf: 0.9,
  cad: 0.6,
  aud: 0.5,
  nzd: 0.5,
  sgd: 0.6,
  sek: 0.08,
  nok: 0.08,
  dkk: 0.12,
  pln: 0.2,
  czk: 0.035,
  huf: 0.002,
  ron: 0.19,
  bgn: 0.45,
  isk: 0.006,
}

/**
 * Reads what the seller's account at Stripe can return now, in cents. It is 0 when the refund needs nothing from the
 * account, because the platform pays it in advance (MOST_UNCOVERED_CENTS). Without a limit, a seller could sell to
 * friends, wait for the payout, and refund everything with the platform's money (ADR 0027). Only the available balance
 * counts, because Stripe takes nothing back from a pending one. Most refunds need no call to Stripe. An account that
 * Stripe does not know, or cannot read at present, counts as empty. Reading it counts toward the calls to Stripe that
 * the seller may cause. Call it before the transaction that records the refund.
 * @throws TOO_MANY_REQUESTS
 */
export async function readAvailableCents(
  ctx: Context,
  { orderId, sellerId, amountCents }: { orderId: string; sellerId: number; amountCents: number },
): Promise<number> {
  const transfer = await ctx.db.transfer.findUnique({ where: { orderId } })
  if (!transfer?.destination || transfer.sentCents === null || transfer.sellerId !== sellerId) return 0
  if ((await readUncoveredCents(ctx, sellerId)) + amountCents <= MOST_UNCOVERED_CENTS) return 0
  const retryAfterSeconds = await consume(STRIPE_CALL_LIMIT, String(sellerId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  const balance = await ctx
    .stripe()
    .balance.retrieve({}, { stripeAccount: transfer.destination })
    .catch((error: unknown) => {
      if (isStripeUnavailable(error) || isStripeMissing(error)) return null
      throw error
    })
  const cents = (balance?.available ?? []).reduce(
    (sum, { amount, currency }) => sum + Math.floor(amount * (LEAST_WORTH[currency] ?? 0)),
    0,
  )
  return Math.max(0, cents)
}

/**
 * Whether the seller has had the money of a payout. What was withheld for other orders has paid the seller's debts, so
 * the seller has had that money, too.
 */
export function hasPaidSeller({ sentCents, withheldCents }: Pick<Transfer, 'sentCents' | 'withheldCents'>): boolean {
  return sentCents !== null || withheldCents > 0
}

/**
 * Whether a refund of an order whose payout the seller already has is above what the platform pays in advance, so that
 * the seller's account has to return the money before the refund is sent. The balance that was read may be gone by the
 * time at which the bank has confirmed the refund. Call it in the transaction that records the refund, under a lock for
 * the seller, so that refunds at the same time count each other.
 * @param refund.sellerCents the seller's part of the refund
 */
export async function isAboveAdvance(
  tx: Context,
  { orderId, sellerId, sellerCents }: Record<'sellerId' | 'sellerCents', number> & { orderId: string },
): Promise<boolean> {
  const select = { sentCents: true, withheldCents: true } as const
  const transfer = await tx.db.transfer.findUnique({ where: { orderId }, select })
  if (!transfer || !hasPaidSeller(transfer)) return false
  return (await readUncoveredCents(tx, sellerId)) + sellerCents > MOST_UNCOVERED_CENTS
}

/**
 * Refuses a refund for which the seller's account has to return more than it has. Stripe takes back all that is missing
 * for the order in one step, so the account must have all of it. Call it after the deduction was recorded.
 * @throws REFUND_NOT_COVERED
 */
export async function assertRefundCovered(tx: Context, orderId: string, availableCents: number): Promise<void> {
  if ((await findOverpaidCents(tx, orderId)) > availableCents) throw refundError('REFUND_NOT_COVERED')
}

/**
 * Refuses a refund of an order whose payout was not sent if its card fee would raise what the seller owes above
 * MOST_UNCOVERED_CENTS, and if the seller's other payouts from which a debt may be withheld do not cover it. Stripe
 * keeps the fee, so a seller who sells to friends and refunds them again and again could make the platform pay any
 * amount. Call it in the transaction that has recorded the refund.
 * @throws FEES_NOT_COVERED
 */
export async function assertCardFeeCovered(
  tx: Context,
  { orderId, sellerId }: { orderId: string; sellerId: number },
): Promise<void> {
  const transfer = await tx.db.transfer.findUnique({
    where: { orderId },
    include: { order: { include: { refunds: true } } },
  })
  if (!transfer || hasPaidSeller(transfer)) return
  const refundedCents = sentRefunds(transfer.order.refunds).reduce(
    (sum, refund) => sum + refund.amountCents - refund.platformFeeCents,
    0,
  )
  if (refundedCents <= transfer.amountCents + transfer.feeOwedCents) return
  const aboveCents = (await readUncoveredCents(tx, sellerId)) - MOST_UNCOVERED_CENTS
  if (aboveCents > 0 && aboveCents > (await readWaitingCents(tx, sellerId)).paysDebts)
    throw refundError('FEES_NOT_COVERED')
}

/** Locks a seller's refunds until the transaction ends. Call it before any row is locked, to avoid a deadlock. */
export async function lockRefundsOfSeller({ sql }: Pick<Context, 'sql'>, sellerId: number): Promise<void> {
  await sql(
    'lock-seller-refunds',
    `SELECT pg_advisory_xact_lock(hashtextextended('seller-refunds', :sellerId::bigint))`,
    {
      sellerId,
    },
  )
}
