import 'server-only'
import { accountError } from '@/lib/accounts/messages'
import type { Context } from '@/lib/infra/context'
import { readPaidOutCents } from '@/lib/refunds/read-paid-out-cents'
import { getPayoutSummary } from '@/lib/payouts/queries'
import { type AdminUserDetailView, toAdminUserView } from './view'

/**
 * Reads one user for an administrator, even after the account was deleted.
 * @throws ACCOUNT_NOT_FOUND
 */
export async function getUserDetail(ctx: Context, userId: number): Promise<AdminUserDetailView> {
  const user = await ctx.db.user.findUnique({ where: { id: userId } })
  if (!user) throw accountError('ACCOUNT_NOT_FOUND')
  const { debtCents } = await getPayoutSummary(ctx, userId)
  return {
    ...toAdminUserView(user, ctx.clock.now()),
    paidOutCents: await readPaidOutCents(ctx, userId),
    debtCents,
  }
}
