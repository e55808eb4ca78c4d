import { identifyBuyer } from '@/lib/http/cookies/buyer-cookie'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// The drop page calls this when it can offer a wallet, so that the browser has the buyer's cookie before the first tap.
// With the cookie, the browser cannot hold units twice, and can release them even if the response to the tap is lost
// (ADR 0059).
export const POST = route({
  who: 'anyone',
  run: async (_ctx, _input, _params, request) => {
    await identifyBuyer(request)
    return noContent()
  },
})
