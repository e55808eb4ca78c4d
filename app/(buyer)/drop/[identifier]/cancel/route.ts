import { z } from 'zod/mini'
import { forgetOpenCheckout } from '@/lib/http/buyer-cookie'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { cancelCheckout } from '@/lib/orders/cancel-checkout'
import { orderTokenSchema } from '@/lib/orders/schema'

// Stripe's payment page sends buyers here when they go back without paying. No other proof than the order's token is
// needed, because only the buyer has it.
export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }, request) => {
    const token = orderTokenSchema.safeParse(new URL(request.url).searchParams.get('order'))
    const code = token.success ? await cancelCheckout(ctx, token.data) : null
    await forgetOpenCheckout()
    // The code of the order comes along, so that the next press on Buy uses it again.
    return seeOther(`/drop/${encodeURIComponent(identifier)}${code ? `?code=${code}` : ''}`)
  },
})
