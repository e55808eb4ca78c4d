import { z } from 'zod/mini'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { optInLimits } from '@/lib/notifications/opt-in-limits'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { joinWaitlistSchema } from '@/lib/waitlist/schema'

export const POST = route({
  who: 'anyone',
  limit: optInLimits.network,
  params: z.object({ identifier: z.string() }),
  input: json(joinWaitlistSchema),
  run: async (ctx, input, { identifier }) => {
    await joinWaitlist(ctx, { ...input, identifier })
    return ok({ message: waitlistTexts.sent })
  },
})
