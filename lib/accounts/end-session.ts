import 'server-only'
import type { Context } from '@/lib/infra/context'

/** Ends a session, so that its cookie is refused from the next request on. Ending it twice is not an error. */
export async function endSession(ctx: Context, sessionId: string): Promise<void> {
  await ctx.db.session.updateMany({ where: { id: sessionId, revokedAt: null }, data: { revokedAt: ctx.clock.now() } })
}
