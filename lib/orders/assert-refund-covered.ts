import 'server-only'
import type { Context } from '@/lib/infra/context'
import { MOST_UNCOVERED_CENTS, readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { orderError } from './messages'

/**
 * Reads how much the seller's account at Stripe can return, in cents, when a refund would exceed what the platform pays in
 * advance. Without this, a seller could sell to friends, wait for the payout, and refund everything with the platform's
 * money (ADR 0027). Most refunds need no call to Stripe. Call it before the transaction that records the refund.
 * @returns the most that the platform may have paid for this seller afterwards, for assertRefundCovered()
 */
export async function readCoverCents(
  ctx: Context,
  { orderId, sellerId, amountCents }: { orderId: string; sellerId: number; amountCents: number },
): Promise<number> {
  const transfer = await ctx.db.transfer.findUnique({ where: { orderId } })
  if (!transfer?.destination || transfer.sentCents === null || transfer.sellerId !== sellerId)
    return MOST_UNCOVERED_CENTS
  if ((await readUncoveredCents(ctx, sellerId)) + amountCents <= MOST_UNCOVERED_CENTS) return MOST_UNCOVERED_CENTS
  const { available, pending } = await ctx.stripe().balance.retrieve({}, { stripeAccount: transfer.destination })
  const cents = [...available, ...pending].reduce(
    (sum, { amount, currency }) => sum + (currency === 'usd' ? amount : 0),
    0,
  )
  return Math.max(MOST_UNCOVERED_CENTS, cents)
}

/**
 * Refuses a refund of an order whose payout the seller already has, if the seller's account cannot return the money and
 * the platform has paid enough in advance. It runs in the transaction that records the refund, under a lock for the
 * seller, so that refunds at the same time count each other.
 * @param refund.sellerCents the seller's part of the refund
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
): Promise<void> {
  const transfer = await tx.db.transfer.findUnique({ where: { orderId }, select: { sentCents: true } })
  if (!transfer || transfer.sentCents === null) return
  if ((await readUncoveredCents(tx, sellerId)) + sellerCents > coverCents) throw orderError('REFUND_NOT_COVERED')
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
