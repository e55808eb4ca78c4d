import { z } from 'zod/mini'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { joinWaitlistSchema } from '@/lib/waitlist/schema'

export const POST = route({
  who: 'anyone',
  limit: { name: 'waitlist', points: 20, windowSeconds: 3600 },
  params: z.object({ identifier: z.string() }),
  input: json(joinWaitlistSchema),
  run: async (ctx, { email, option }, { identifier }) => {
    await joinWaitlist(ctx, { identifier, email, option })
    return ok({ message: waitlistTexts.sent })
  },
})
