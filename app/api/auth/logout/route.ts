import { endSession } from '@/lib/accounts/end-session'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { clearSessionCookie } from '@/lib/http/session'

export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  run: async (ctx) => {
    if (ctx.actor.kind === 'user') await endSession(ctx, ctx.actor.sessionId)
    await clearSessionCookie()
    return ok({ message: 'Signed out.' })
  },
})
