import { z } from 'zod/mini'
import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { optInLimits } from '@/lib/notifications/opt-in-limits'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { joinWaitlistSchema } from '@/lib/waitlist/schema'

// Receives the reminder form from browsers without JavaScript.
export const POST = route({
  who: 'anyone',
  limit: optInLimits.network,
  params: z.object({ identifier: z.string() }),
  input: urlencoded(joinWaitlistSchema),
  run: async (ctx, input, { identifier }) => {
    await joinWaitlist(ctx, { ...input, identifier })
    return seeOther('/remind/sent')
  },
})
