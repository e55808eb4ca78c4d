import { parseInput } from '@/lib/http/input'
import { ok, seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { leaveWaitlistSchema } from '@/lib/waitlist/schema'

// The unsubscribe button of an email program posts here (RFC 8058), and so does the form of /remind/stop. All values
// are in the URL.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  run: async (ctx, _input, _params, request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams)
    await leaveWaitlist(ctx, parseInput(leaveWaitlistSchema, query))
    return query.page ? seeOther('/remind/stopped') : ok({ message: waitlistTexts.stopped })
  },
})
