import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/plain-forms/answer-order-form'
import { ok, seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { mintDownload, openLinkedFile } from '@/lib/orders/mint-download'
import { orderTokenSchema } from '@/lib/orders/field-schema'

// Handles the download button and returns a link to the order's file. A link to a file in our storage works for five
// minutes. Any other file has the link that the seller entered. The order's token is the only permission needed.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: (ctx, _input, { token }, request) => {
    const mint = () => mintDownload(ctx, { token, userAgent: request.headers.get('user-agent') ?? '' })
    // The page's own script requests the link as JSON. A plain form post is redirected to the link.
    const wantsJson = request.headers.get('accept') === 'application/json'
    return wantsJson ? mint().then((url) => ok({ url })) : answerOrderForm({ token, request }, mint)
  },
})

// Handles the link to a file that the seller keeps elsewhere, and redirects to it. The page's Content-Security-Policy
// forbids redirecting a form to another site, so this is a plain link. A file in our storage is only handed out by the
// form, which counts its downloads.
export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: async (ctx, _input, { token }, request) =>
    seeOther(await openLinkedFile(ctx, { token, userAgent: request.headers.get('user-agent') ?? '' })),
})
