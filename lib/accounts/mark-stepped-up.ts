import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'

/** Stores that the user has proved in this session who they are. assertSteppedUp() and assertOwner() read this time. */
export async function markSteppedUp(ctx: Context<UserActor>): Promise<void> {
  const { sessionId } = ctx.actor
  await ctx.db.session.updateMany({ where: { id: sessionId }, data: { stepUpAt: ctx.clock.now() } })
}
