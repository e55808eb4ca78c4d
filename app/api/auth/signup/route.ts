import { createAccount } from '@/lib/accounts/create-account'
import { signupSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { json } from '@/lib/http/input'
import { created } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signInBrowser } from '@/lib/http/sign-in/sign-in-browser'

export const POST = route({
  who: 'anyone',
  input: json(signupSchema),
  run: async (ctx, input, _params, request) => {
    const user = await createAccount(ctx, input)
    await signInBrowser(ctx, user, request, { isFirst: true })
    return created({ user: toUserView(user, ctx.clock.now()) })
  },
})
