import { finishLoginWithPasskey } from '@/lib/accounts/finish-login'
import { logInWithPasskey } from '@/lib/accounts/passkeys/log-in-with-passkey'
import { accountError } from '@/lib/accounts/messages'
import { passkeySchema } from '@/lib/accounts/passkeys/passkey-schema'
import { toUserView } from '@/lib/accounts/view'
import { readDevice } from '@/lib/http/cookies/device-cookie'
import { json } from '@/lib/http/input'
import { takePasskeyRound } from '@/lib/http/sign-in/passkey-round'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { secondStepCookie } from '@/lib/http/cookies/second-step-cookie'
import { signInBrowser } from '@/lib/http/sign-in/sign-in-browser'

// Signs in with a passkey, either alone or as the second step after the password. The cookie of the challenge says
// which.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(passkeySchema),
  run: async (ctx, input, _params, request) => {
    const round = await takePasskeyRound(request.headers)
    if (round.waiting?.purpose !== 'secondStep') {
      const user = await logInWithPasskey(ctx, input, round)
      await signInBrowser(ctx, user, request)
      return ok({ user: toUserView(user, ctx.clock.now()) })
    }
    const step = await secondStepCookie.read()
    if (!step) throw accountError('SECOND_STEP_EXPIRED')
    const isKnownDevice = (await readDevice()).isKnownTo(step.userId, step.mark)
    const user = await finishLoginWithPasskey(ctx, input, { ...step, ...round, isKnownDevice })
    await secondStepCookie.clear()
    await signInBrowser(ctx, user, request)
    return ok({ user: toUserView(user, ctx.clock.now()) })
  },
})
