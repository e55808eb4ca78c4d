import { z } from 'zod/mini'
import { dropError } from '@/lib/drops/messages'
import { toFacts } from '@/lib/drops/history/history-messages'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { toDropView } from '@/lib/drops/view'
import { publicJson } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'

export const GET = route({
  who: 'anyone',
  isPublic: true,
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }, request) => {
    const found = await findShownDrop(ctx, identifier)
    const row = found && (await limitToHome(ctx, found))
    if (!row) throw dropError('NOT_FOUND')
    const { serverTime, ...view } = toDropView(row)
    return publicJson(request, { ...view, startsAt: view.startedAt, facts: toFacts(view) }, { serverTime })
  },
})
