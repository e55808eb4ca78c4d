import { z } from 'zod/mini'
import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { joinWaitlistSchema } from '@/lib/waitlist/schema'

// The reminder form without JavaScript.
export const POST = route({
  who: 'anyone',
  limit: { name: 'waitlist', points: 20, windowSeconds: 3600 },
  params: z.object({ identifier: z.string() }),
  input: urlencoded(joinWaitlistSchema),
  run: async (ctx, { email, option }, { identifier }) => {
    await joinWaitlist(ctx, { identifier, email, option })
    return seeOther('/remind/sent')
  },
})
