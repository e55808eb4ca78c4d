import { after } from 'next/server'
import { forgotUsernameLimit } from '@/lib/accounts/guards'
import { accountToasts } from '@/lib/accounts/messages'
import { forgotSchema } from '@/lib/accounts/schema'
import { sendUsername } from '@/lib/accounts/send-username'
import { assertWithinNetworkLimit } from '@/lib/http/guard'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// Responds before the account is looked up, so that neither the content nor the timing of the response reveals whether
// it exists (docs/product.md#forgotten-passwords-and-usernames).
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(forgotSchema),
  run: async (ctx, input) => {
    await assertWithinNetworkLimit(forgotUsernameLimit, ctx)
    after(() =>
      sendUsername(ctx, input).catch((error: unknown) =>
        ctx.log.error({ cause: String(error) }, 'the email with the username could not be queued'),
      ),
    )
    return ok({ message: accountToasts.usernameSent.description })
  },
})
