import { confirmEmail } from '@/lib/accounts/confirm-email'
import { CONFIRM_EMAIL_LIMIT } from '@/lib/accounts/rules'
import { confirmEmailSchema } from '@/lib/accounts/schema'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// A button sends this POST. Opening a link from an email must not confirm anything, because email programs follow links
// by themselves.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  limit: CONFIRM_EMAIL_LIMIT,
  input: json(confirmEmailSchema),
  run: async (ctx, input) => ok({ email: await confirmEmail(ctx, input) }),
})
