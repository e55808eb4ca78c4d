import { confirmEmail } from '@/lib/accounts/confirm-email'
import { CONFIRM_EMAIL_LIMIT } from '@/lib/accounts/rules'
import { confirmEmailSchema } from '@/lib/accounts/schema'
import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// Receives the button of an email's link from browsers without JavaScript. The form posts to its own page, and the
// middleware passes the post on to this route.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  limit: CONFIRM_EMAIL_LIMIT,
  input: urlencoded(confirmEmailSchema),
  run: async (ctx, input, _params, request) => {
    await confirmEmail(ctx, input)
    const isUndo = new URL(request.url).searchParams.get('for') === 'undo'
    return seeOther(`/confirm-email?done=1${isUndo ? '&for=undo' : ''}`)
  },
})
