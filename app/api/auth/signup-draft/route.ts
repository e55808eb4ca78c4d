import { draftAccount } from '@/lib/accounts/create-account'
import { signupDraftSchema } from '@/lib/accounts/schema'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signupDraftCookie } from '@/lib/http/signup-draft'

// "Choose a plan": what was typed waits in an encrypted cookie for the plan step (DECISIONS 28).
export const POST = route({
  who: 'anyone',
  limit: { name: 'signup-draft', points: 60, windowSeconds: 3600 },
  input: json(signupDraftSchema),
  run: async (ctx, input) => {
    await signupDraftCookie.write(await draftAccount(ctx, input))
    return ok({ redirect: '/plans' })
  },
})
