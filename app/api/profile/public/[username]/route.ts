import { z } from 'zod/mini'
import { accountError } from '@/lib/accounts/messages'
import { findProfileUser } from '@/lib/accounts/queries'
import { listProfileDrops } from '@/lib/drops/queries'
import { toProfileView } from '@/lib/drops/view'
import { publicJson } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'anyone',
  isPublic: true,
  params: z.object({ username: z.string() }),
  run: async (ctx, _input, { username }, request) => {
    const user = await findProfileUser(ctx, username)
    if (!user) throw accountError('PROFILE_NOT_FOUND')
    const view = toProfileView(user, await listProfileDrops(ctx, user.id))
    return publicJson(request, view, { serverTime: user.now.toISOString() })
  },
})
