import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { CodeInput } from './schema'
import { spendSecondFactor } from './spend-second-factor'

/**
 * Checks the second factor again in this session, for acts that need a recent one (docs/product.md#two-factor-sign-in).
 */
export async function stepUp(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId, sessionId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await ctx.db.session.update({ where: { id: sessionId }, data: { stepUpAt: ctx.clock.now() } })
}
