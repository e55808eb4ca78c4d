import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { SECOND_MS } from '@/lib/kernel/time'

/**
 * How many of a seller's newest transfers are read at most. Beyond that the search fails, because guessing could pay
 * twice.
 */
const MOST_READ = 10_000

/** Clocks differ: a transfer may carry a time slightly before the one we recorded. */
const CLOCK_SKEW_MS = 300_000

/** What identifies the transfers of one payout at Stripe. */
export type FrozenPayout = { orderId: string; destination: string; frozenAt: Date }

/**
 * Finds every transfer that was made for one order, by its destination and metadata, oldest first. A transfer group is not
 * enough: with `source_transaction` Stripe replaces the caller's group by that of the charge (ADR 0023).
 * @throws when the seller has too many transfers since `frozenAt` to read, and any error of Stripe.
 */
export async function findTransfers(
  ctx: Context,
  { orderId, destination, frozenAt }: FrozenPayout,
): Promise<Stripe.Transfer[]> {
  const since = Math.floor((frozenAt.getTime() - CLOCK_SKEW_MS) / SECOND_MS)
  const sent = await ctx
    .stripe()
    .transfers.list({ destination, created: { gte: since }, limit: 100 })
    .autoPagingToArray({ limit: MOST_READ })
  if (sent.length === MOST_READ) throw new Error(`too many transfers to ${destination} to search for order ${orderId}`)
  return sent.filter(({ metadata }) => metadata.orderId === orderId).reverse()
}

/** Reads transfers by their stored ids, in the order given. */
export function readTransfers(ctx: Context, ids: readonly string[]): Promise<Stripe.Transfer[]> {
  return Promise.all(ids.map((id) => ctx.stripe().transfers.retrieve(id)))
}
