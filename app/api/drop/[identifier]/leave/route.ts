import { z } from 'zod/mini'
import { leaveSchema } from '@/lib/drops/schema'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { countAppExit } from '@/lib/infra/metrics'

// The drop page reports here whether "Open in your browser" worked inside another app's browser.
export const POST = route({
  who: 'anyone',
  limit: { name: 'leave-app', points: 60, windowSeconds: 3600 },
  params: z.object({ identifier: z.string() }),
  run: async (_ctx, _input, _params, request) => {
    const left = leaveSchema.safeParse(Object.fromEntries(new URL(request.url).searchParams))
    if (left.success) countAppExit(left.data.app, left.data.outcome)
    return noContent()
  },
})
