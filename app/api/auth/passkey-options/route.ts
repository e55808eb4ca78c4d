import { accountError } from '@/lib/accounts/messages'
import { passkeyOptionsSchema } from '@/lib/accounts/passkeys/passkey-schema'
import { requestAnyPasskey, requestPasskey } from '@/lib/accounts/passkeys/request-passkey'
import { json } from '@/lib/http/input'
import { passkeyCookie, passkeySite } from '@/lib/http/sign-in/passkey-round'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { secondStepCookie } from '@/lib/http/cookies/second-step-cookie'

// Returns a challenge for a passkey. The call writes nothing to the database and takes no username, so it reveals
// nothing and needs no limit. In the second step of a login, the challenge lists the passkeys of the account whose
// password was correct.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(passkeyOptionsSchema),
  run: async (ctx, { purpose }, _params, request) => {
    const site = passkeySite(request.headers)
    if (purpose === 'login') {
      const { options, waiting } = await requestAnyPasskey(site)
      await passkeyCookie.write(waiting)
      return ok({ options })
    }
    const step = await secondStepCookie.read()
    if (!step) throw accountError('SECOND_STEP_EXPIRED')
    const asked = await requestPasskey(ctx, { site, purpose, userId: step.userId, sessionId: null })
    if (!asked) throw accountError('PASSKEY_REFUSED')
    await passkeyCookie.write(asked.waiting)
    return ok({ options: asked.options })
  },
})
