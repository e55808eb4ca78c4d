import { accountToasts } from '@/lib/accounts/messages'
import { resetPassword } from '@/lib/accounts/reset-password'
import { resetSchema } from '@/lib/accounts/schema'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(resetSchema),
  run: async (ctx, input) => {
    await resetPassword(ctx, input)
    return ok({ message: accountToasts.passwordReset.description })
  },
})
