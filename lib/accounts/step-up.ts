import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { CodeInput } from './schema'
import { spendSecondFactor } from './spend-second-factor'

/** Proves the second factor once more in this session, for acts that ask for a fresh one (DECISIONS 39). */
export async function stepUp(ctx: Context<UserActor>, { code }: CodeInput): Promise<void> {
  const { userId, sessionId } = ctx.actor
  await spendSecondFactor(ctx, { userId, code, isKnownDevice: true })
  await ctx.db.session.update({ where: { id: sessionId }, data: { stepUpAt: ctx.clock.now() } })
}
