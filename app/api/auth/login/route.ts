import { hasTwoFactor, passwordMark } from '@/lib/accounts/finish-login'
import { logIn } from '@/lib/accounts/log-in'
import { loginSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { readDevice } from '@/lib/http/device-cookie'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { secondStepCookie } from '@/lib/http/second-step-cookie'
import { signInBrowser } from '@/lib/http/sign-in-browser'

export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(loginSchema),
  run: async (ctx, input, _params, request) => {
    const user = await logIn(ctx, input, await readDevice())
    if (await hasTwoFactor(ctx, user.id)) {
      await secondStepCookie.write({ userId: user.id, mark: passwordMark(user) })
      return ok({ redirect: '/two-factor' })
    }
    await signInBrowser(ctx, user, request)
    return ok({ user: toUserView(user, ctx.clock.now()) })
  },
})
