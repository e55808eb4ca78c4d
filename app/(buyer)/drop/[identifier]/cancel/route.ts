import { z } from 'zod/mini'
import { clearCheckoutCookie, knownEarlyLink } from '@/lib/http/cookies/buyer-cookie'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { CANCELED_ID } from '@/lib/checkout/rules'
import { orderTokenSchema } from '@/lib/orders/field-schema'

// Stripe's payment page sends buyers here when they go back without paying. The order's token is proof enough, because
// only the buyer has it.
export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }, request) => {
    const token = orderTokenSchema.safeParse(new URL(request.url).searchParams.get('order'))
    const canceled = token.success ? await cancelCheckout(ctx, token.data) : null
    const early = canceled ? await knownEarlyLink(request, canceled.dropId) : undefined
    await clearCheckoutCookie()
    // The redirect keeps the discount code of the order and the follower's link, so that the next press of Buy uses
    // them again.
    const kept = new URLSearchParams({
      ...(early ? { early } : {}),
      ...(canceled?.code ? { code: canceled.code } : {}),
    })
    const query = kept.size > 0 ? `?${kept.toString()}` : ''
    return seeOther(`/drop/${encodeURIComponent(identifier)}${query}#${CANCELED_ID}`)
  },
})
