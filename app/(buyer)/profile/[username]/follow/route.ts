import { z } from 'zod/mini'
import { followSeller } from '@/lib/followers/follow-seller'
import { followSchema } from '@/lib/followers/schema'
import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { optInLimits } from '@/lib/notifications/opt-in-limits'

// Receives the follow form, which is on the profile, the drop page and the order page, with and without JavaScript.
export const POST = route({
  who: 'anyone',
  limit: optInLimits.network,
  params: z.object({ username: z.string() }),
  input: urlencoded(followSchema),
  run: async (ctx, input, { username }) => {
    await followSeller(ctx, username, input)
    return seeOther('/follow/sent')
  },
})
