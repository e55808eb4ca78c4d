import { findPendingEmail } from '@/lib/accounts/queries'
import { profileSchema } from '@/lib/accounts/schema'
import { updateProfile } from '@/lib/accounts/update-profile'
import { toUserView } from '@/lib/accounts/view'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const PATCH = route({
  who: 'seller',
  input: json(profileSchema),
  run: async (ctx, input) => {
    const user = await updateProfile(ctx, input)
    return ok({ ...toUserView(user, ctx.clock.now()), pendingEmail: await findPendingEmail(ctx) })
  },
})
