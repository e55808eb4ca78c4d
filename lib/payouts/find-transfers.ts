import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'

/**
 * Finds all transfers of an order at Stripe, to any account, oldest first. A transfer that was made from the order's
 * charge has the group of this charge, whatever group the caller asked for, and any other transfer has the order's id
 * as its group (ADR 0023). Both groups contain only the transfers of this order, so the search stays small.
 * @throws any error from Stripe
 */
export async function findTransfers(ctx: Context, orderId: string): Promise<Stripe.Transfer[]> {
  const { stripeChargeId } = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId } })
  const charge = stripeChargeId ? await ctx.stripe().charges.retrieve(stripeChargeId) : null
  const found: Stripe.Transfer[] = []
  for (const group of new Set([orderId, charge?.transfer_group ?? orderId])) {
    for await (const transfer of ctx.stripe().transfers.list({ transfer_group: group, limit: 100 })) {
      if (transfer.metadata.orderId === orderId) found.push(transfer)
    }
  }
  // Stripe lists the newest transfer first, and its times are whole seconds.
  return found.reverse().sort((a, b) => a.created - b.created)
}

/** Reads transfers by their stored ids, in the order given. */
export function readTransfers(ctx: Context, ids: readonly string[]): Promise<Stripe.Transfer[]> {
  return Promise.all(ids.map((id) => ctx.stripe().transfers.retrieve(id)))
}
