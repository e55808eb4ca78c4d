import { changeUsername } from '@/lib/accounts/change-username'
import { changeUsernameSchema } from '@/lib/accounts/schema'
import { toUserView } from '@/lib/accounts/view'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'activeSeller',
  limit: { name: 'change-username', points: 60, windowSeconds: 3600 },
  input: json(changeUsernameSchema),
  run: async (ctx, input) => ok({ user: toUserView(await changeUsername(ctx, input), ctx.clock.now()) }),
})
