import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/order-form'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { mintDownload } from '@/lib/orders/mint-download'
import { orderTokenSchema } from '@/lib/orders/schema'

// A click on "Download": one of the order's downloads, as a link for five minutes. The token is the permission.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: (ctx, _input, { token }, request) => {
    const mint = () => mintDownload(ctx, { token, userAgent: request.headers.get('user-agent') ?? '' })
    // The page's own script asks where the file is; everybody else is led there.
    const isAsked = request.headers.get('accept') === 'application/json'
    return isAsked ? mint().then((url) => ok({ url })) : answerOrderForm({ token, request }, mint)
  },
})
