import { codeSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { finishBrowserLogin } from '@/lib/http/sign-in/finish-browser-login'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// The second step of a login. The cookie set by POST /api/auth/login proves that the password was correct.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(codeSchema),
  run: async (ctx, input, _params, request) => {
    const user = await finishBrowserLogin(ctx, input, request)
    return ok({ user: toUserView(user, ctx.clock.now()) })
  },
})
