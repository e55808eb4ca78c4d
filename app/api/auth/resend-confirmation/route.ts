import { requestEmailConfirmation } from '@/lib/accounts/request-email-confirmation'
import { accountToasts } from '@/lib/accounts/messages'
import { assertWithinRateLimit } from '@/lib/http/guard'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

const perAccount = { name: 'resend-confirmation', points: 5, windowSeconds: 3600 }

export const POST = route({
  who: 'seller',
  run: async (ctx) => {
    await assertWithinRateLimit(perAccount, String(ctx.actor.userId))
    await requestEmailConfirmation(ctx)
    return ok({ message: accountToasts.linkSent.description })
  },
})
