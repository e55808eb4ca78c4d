import { finishLogin } from '@/lib/accounts/finish-login'
import { accountError } from '@/lib/accounts/messages'
import { codeSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { readDevice } from '@/lib/http/device-cookie'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { secondStepCookie } from '@/lib/http/second-step-cookie'
import { signInBrowser } from '@/lib/http/sign-in-browser'

// The second step of a login. The cookie set by POST /api/auth/login proves that the password was correct.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(codeSchema),
  run: async (ctx, { code }, _params, request) => {
    const step = await secondStepCookie.read()
    if (!step) throw accountError('SECOND_STEP_EXPIRED')
    const isKnownDevice = (await readDevice()).isKnownTo(step.userId, step.mark)
    const user = await finishLogin(ctx, { ...step, code, isKnownDevice })
    await secondStepCookie.clear()
    await signInBrowser(ctx, user, request)
    return ok({ user: toUserView(user, ctx.clock.now()) })
  },
})
