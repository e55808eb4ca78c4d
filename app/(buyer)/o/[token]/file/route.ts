import { z } from 'zod/mini'
import { queryOf } from '@/lib/http/input'
import { route } from '@/lib/http/route'
import { sendFile } from '@/lib/http/send-file'
import { orderError } from '@/lib/orders/messages'
import { getDownload } from '@/lib/orders/mint-download'
import { orderTokenSchema } from '@/lib/orders/field-schema'

const linkSchema = z.object({
  until: z.pipe(z.string().check(z.regex(/^\d{13}$/)), z.transform(Number)),
  signature: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})

export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: async (ctx, _input, { token }, request) => {
    const file = await getDownload(ctx, { token, ...queryOf(linkSchema, request) })
    const response = await sendFile(request, file.storageKey, file.fileName)
    if (!response) throw orderError('NOT_FOUND')
    return response
  },
})
