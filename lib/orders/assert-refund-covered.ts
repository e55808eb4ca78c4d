import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume } from '@/lib/infra/rate-limit'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { isStripeMissing, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { MOST_UNCOVERED_CENTS, readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { platformError } from '@/lib/platform/messages'
import { orderError } from './messages'

/**
 * The least that one unit of a currency was worth in dollars within the last ten years, rounded down. Stripe converts
 * transfers to the currency of the seller's account. Balances in other currencies do not count. The numbers are ours.
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
 * Reads the limit for what the platform may have paid in advance for a seller's refunds, in cents. It consists of
 * MOST_UNCOVERED_CENTS and of what the seller's account at Stripe can return now. Without a limit, a seller could sell
 * to friends, wait for the payout, and refund everything with the platform's money (ADR 0027). Only the available
 * balance counts, because Stripe takes nothing back from a pending one. Most refunds need no call to Stripe. An account
 * that Stripe does not know, or cannot read at present, counts as empty. Reading it counts toward the calls to Stripe
 * that the seller may cause. Call it before the transaction that records the refund.
 * @throws TOO_MANY_REQUESTS
 */
export async function readCoverCents(
  ctx: Context,
  { orderId, sellerId, amountCents }: { orderId: string; sellerId: number; amountCents: number },
): Promise<number> {
  const transfer = await ctx.db.transfer.findUnique({ where: { orderId } })
  if (!transfer?.destination || transfer.sentCents === null || transfer.sellerId !== sellerId)
    return MOST_UNCOVERED_CENTS
  if ((await readUncoveredCents(ctx, sellerId)) + amountCents <= MOST_UNCOVERED_CENTS) return MOST_UNCOVERED_CENTS
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
  return MOST_UNCOVERED_CENTS + Math.max(0, cents)
}

/**
 * Refuses a refund of an order whose payout the seller already has, if it exceeds the limit of readCoverCents(). It
 * runs in the transaction that records the refund, under a lock for the seller, so that refunds at the same time count
 * each other.
 * @param refund.sellerCents the seller's part of the refund
 * @returns whether the seller's account has to return the money before the refund is sent, because it is above what the
 *   platform pays in advance. The balance that was read may be gone when the bank has confirmed the refund.
 * @throws REFUND_NOT_COVERED
 */
export async function assertRefundCovered(
  tx: Context,
  {
    orderId,
    sellerId,
    sellerCents,
    coverCents,
  }: Record<'sellerId' | 'sellerCents' | 'coverCents', number> & { orderId: string },
): Promise<boolean> {
  const transfer = await tx.db.transfer.findUnique({ where: { orderId }, select: { sentCents: true } })
  if (!transfer || transfer.sentCents === null) return false
  const uncoveredCents = (await readUncoveredCents(tx, sellerId)) + sellerCents
  if (uncoveredCents > coverCents) throw orderError('REFUND_NOT_COVERED')
  return uncoveredCents > MOST_UNCOVERED_CENTS
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
