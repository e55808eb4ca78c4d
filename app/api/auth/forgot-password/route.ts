import { accountToasts } from '@/lib/accounts/messages'
import { forgotSchema } from '@/lib/accounts/schema'
import { askForForgotten } from '@/lib/http/sign-in/ask-for-forgotten'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(forgotSchema),
  run: async (ctx, input) => {
    await askForForgotten(ctx, 'password', input)
    return ok({ message: accountToasts.resetLinkSent.description })
  },
})
