import 'server-only'
import type { Context } from '@/lib/infra/context'
import { sentOutCents, targetCents } from './rules'
import { settlePayout } from './settle-payouts'

/**
 * Takes back from the seller's account what is deducted from the payout of an order.
 * @returns whether the account has returned all of it
 * @throws Stripe's error
 */
export async function takeBackPayout(ctx: Context, orderId: string): Promise<boolean> {
  const { id } = await ctx.db.transfer.findUniqueOrThrow({ where: { orderId }, select: { id: true } })
  await settlePayout(ctx, id)
  const settled = await ctx.db.transfer.findUniqueOrThrow({ where: { id } })
  return sentOutCents(settled) <= Math.max(0, targetCents(settled))
}
