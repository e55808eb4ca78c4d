import { draftAccount } from '@/lib/accounts/create-account'
import { SIGNUP_DRAFT_LIMIT } from '@/lib/accounts/rules'
import { signupDraftSchema } from '@/lib/accounts/schema'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signupDraftCookie } from '@/lib/http/cookies/signup-draft-cookie'

// The button "Choose a plan first" on /signup makes this call. The response sets an encrypted cookie with what was
// typed. When the visitor chooses a plan on /plans, the account is created from this cookie
// (docs/product.md#choosing-a-plan-while-signing-up).
export const POST = route({
  who: 'anyone',
  limit: SIGNUP_DRAFT_LIMIT,
  input: json(signupDraftSchema),
  run: async (ctx, input) => {
    await signupDraftCookie.write(await draftAccount(ctx, input))
    return ok({ redirect: '/plans' })
  },
})
