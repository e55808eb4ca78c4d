import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { PayoutsState } from './rules'
import { sendTransfers } from './send-transfers'
import { syncPayoutAccount } from './sync-payout-account'

/**
 * Reads a seller's account from Stripe and, if it is ready, sends the waiting payouts right away
 * (docs/product.md#when-a-payout-is-sent).
 */
export async function refreshPayouts(ctx: Context, sellerId: number): Promise<PayoutsState> {
  const state = await syncPayoutAccount(ctx, sellerId)
  if (state === 'ready') await sendTransfers(ctx, sellerId)
  return state
}

/** Calls refreshPayouts() for the seller who has this connected account; returns `unknown` when no seller has it. */
export async function refreshPayoutAccount(ctx: Context, stripeAccountId: string): Promise<PayoutsState | 'unknown'> {
  const seller = await ctx.db.user.findUnique({ where: { stripeAccountId }, select: { id: true } })
  return seller ? refreshPayouts(ctx, seller.id) : 'unknown'
}
