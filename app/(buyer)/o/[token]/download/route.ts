import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/answer-order-form'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { mintDownload } from '@/lib/orders/mint-download'
import { orderTokenSchema } from '@/lib/orders/schema'

// The button "Download": gives a link to one file of the order that works for five minutes. The token is the
// permission.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: (ctx, _input, { token }, request) => {
    const mint = () => mintDownload(ctx, { token, userAgent: request.headers.get('user-agent') ?? '' })
    // The page's own script asks for the link as JSON; a plain form post is redirected to it.
    const isAsked = request.headers.get('accept') === 'application/json'
    return isAsked ? mint().then((url) => ok({ url })) : answerOrderForm({ token, request }, mint)
  },
})
