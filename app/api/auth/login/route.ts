import { loginSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { json } from '@/lib/http/input'
import { logInBrowser } from '@/lib/http/sign-in/log-in-browser'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(loginSchema),
  run: async (ctx, input, _params, request) => {
    const user = await logInBrowser(ctx, input, request)
    return ok(user ? { user: toUserView(user, ctx.clock.now()) } : { redirect: '/two-factor' })
  },
})
