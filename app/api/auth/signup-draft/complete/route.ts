import { createDraftedAccount } from '@/lib/accounts/create-account'
import { accountError } from '@/lib/accounts/messages'
import { planStepSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { json } from '@/lib/http/input'
import { created } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signInBrowser } from '@/lib/http/sign-in/sign-in-browser'
import { signupDraftCookie } from '@/lib/http/cookies/signup-draft-cookie'

// The plan step creates the account of the draft. The account stays on the free plan until Pro is paid for
// (docs/product.md#how-pro-begins).
export const POST = route({
  who: 'anyone',
  input: json(planStepSchema),
  run: async (ctx, { plan }, _params, request) => {
    const draft = await signupDraftCookie.read()
    if (!draft) throw accountError('SIGNUP_DRAFT_MISSING')
    const user = await createDraftedAccount(ctx, draft, plan)
    await signupDraftCookie.clear()
    await signInBrowser(ctx, user, request, { isFirst: true })
    return created({ user: toUserView(user, ctx.clock.now()), redirect: '/welcome' })
  },
})
