import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { SECOND_MS } from '@/lib/kernel/time'

/**
 * The highest number of transfers to one account that one search reads, the newest first. A search that finds this many
 * fails, because there may be more, and guessing could pay twice.
 */
const MAX_READ = 10_000

/** A transfer may carry a time slightly before the one we recorded, because clocks differ. */
const CLOCK_SKEW_MS = 300_000

/** What identifies the transfers of one payout at Stripe. `frozenAt` is when the amount of the payout was fixed. */
export type FrozenPayout = { orderId: string; destination: string; frozenAt: Date }

/**
 * Finds the transfers to this destination that carry the order's id in their metadata and were made since `frozenAt`,
 * oldest first. A transfer group is not enough, because with `source_transaction` Stripe replaces the caller's group by
 * that of the charge (ADR 0023).
 * @throws when the account got too many transfers since `frozenAt` to read, and any error from Stripe.
 */
export async function findTransfers(
  ctx: Context,
  { orderId, destination, frozenAt }: FrozenPayout,
): Promise<Stripe.Transfer[]> {
  const since = Math.floor((frozenAt.getTime() - CLOCK_SKEW_MS) / SECOND_MS)
  const sent = await ctx
    .stripe()
    .transfers.list({ destination, created: { gte: since }, limit: 100 })
    .autoPagingToArray({ limit: MAX_READ })
  if (sent.length === MAX_READ) throw new Error(`too many transfers to ${destination} to search for order ${orderId}`)
  return sent.filter(({ metadata }) => metadata.orderId === orderId).reverse()
}

/** Reads transfers by their stored ids, in the order given. */
export function readTransfers(ctx: Context, ids: readonly string[]): Promise<Stripe.Transfer[]> {
  return Promise.all(ids.map((id) => ctx.stripe().transfers.retrieve(id)))
}
