import { z } from 'zod/mini'
import { dropError } from '@/lib/drops/messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { publicJson } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'anyone',
  isPublic: true,
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }, request) => {
    const row = await findPublicDrop(ctx, identifier)
    if (!row) throw dropError('NOT_FOUND')
    const { serverTime, ...view } = toDropView(row)
    return publicJson(request, view, { serverTime })
  },
})
