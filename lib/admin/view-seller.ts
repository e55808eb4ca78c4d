import 'server-only'
import { listSellerDrops } from '@/lib/drops/queries'
import { type SellerDropView, toSellerDropView } from '@/lib/drops/view'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { listSellerOrders } from '@/lib/orders/seller-queries'
import type { SellerOrderView } from '@/lib/orders/seller-view'
import { getPayoutSummary } from '@/lib/payouts/queries'
import type { PayoutsState } from '@/lib/payouts/rules'
import { recordAudit } from '@/lib/platform/record-audit'
import { findAdminUser } from './queries'
import { type AdminUserView, toAdminUserView } from './view'

export type SellerGlanceView = {
  user: AdminUserView
  drops: SellerDropView[]
  orders: SellerOrderView[]
  waitingCents: number
  payoutsState: PayoutsState
}

/**
 * Reads a seller's own data for an administrator who helps the seller, and records each view in the audit log. Returns
 * null when there is no such account or it was deleted.
 */
export async function viewSeller(ctx: Context<UserActor>, userId: number): Promise<SellerGlanceView | null> {
  const user = await findAdminUser(ctx.db, userId)
  if (!user) return null
  await transaction(ctx, (tx) => recordAudit(tx, { action: 'user.view', targetType: 'user', targetId: userId }))
  const [drops, orders, { waitingCents, state: payoutsState }] = await Promise.all([
    listSellerDrops(ctx, userId),
    listSellerOrders(ctx, userId, sellerOrderFilterSchema.parse({})),
    getPayoutSummary(ctx, userId),
  ])
  return {
    user: toAdminUserView(user, ctx.clock.now()),
    drops: drops.map(toSellerDropView),
    orders,
    waitingCents,
    payoutsState,
  }
}
