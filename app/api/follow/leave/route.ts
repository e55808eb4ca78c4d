import { leaveSeller } from '@/lib/followers/leave-seller'
import { followerTexts } from '@/lib/followers/messages'
import { leaveSellerSchema } from '@/lib/followers/schema'
import { parseInput } from '@/lib/http/input'
import { ok, seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// The unsubscribe button of an email program posts here (RFC 8058), and so does the form of /follow/stop. All values
// are in the URL.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  run: async (ctx, _input, _params, request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams)
    await leaveSeller(ctx, parseInput(leaveSellerSchema, query))
    return query.page ? seeOther('/follow/stopped') : ok({ message: followerTexts.stopped })
  },
})
