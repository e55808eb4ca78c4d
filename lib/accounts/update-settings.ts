import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { accountError } from './messages'
import type { SettingsInput } from './schema'

/**
 * Changes the given settings and leaves the others. Only Pro sellers and administrators may turn analytics tracking on
 * or off (docs/product.md#settings).
 * @throws ANALYTICS_PRO_ONLY
 */
export async function updateSettings(ctx: Context<UserActor>, input: SettingsInput): Promise<User> {
  const { userId, plan, isAdmin } = ctx.actor
  if (input.analytics !== undefined && plan !== 'pro' && !isAdmin) {
    const { analytics } = await ctx.db.user.findUniqueOrThrow({ where: { id: userId }, select: { analytics: true } })
    if (analytics !== input.analytics) throw accountError('ANALYTICS_PRO_ONLY')
  }
  return ctx.db.user.update({ where: { id: userId }, data: input })
}
