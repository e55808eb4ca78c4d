import { after } from 'next/server'
import { forgotUsernameLimit } from '@/lib/accounts/guards'
import { accountToasts } from '@/lib/accounts/messages'
import { forgotSchema } from '@/lib/accounts/schema'
import { sendUsername } from '@/lib/accounts/send-username'
import { assertWithinLimit } from '@/lib/http/guard'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// Answered before anything is looked up: the same bytes in the same time, whoever asks about whom (DECISIONS 31).
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(forgotSchema),
  run: async (ctx, input) => {
    await assertWithinLimit(forgotUsernameLimit, ctx.ip)
    after(() =>
      sendUsername(ctx, input).catch((error: unknown) =>
        ctx.log.error({ cause: String(error) }, 'username mail not queued'),
      ),
    )
    return ok({ message: accountToasts.usernameSent.description })
  },
})
