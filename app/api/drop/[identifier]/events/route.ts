import { z } from 'zod/mini'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { dropError } from '@/lib/drops/messages'
import { route } from '@/lib/http/route'

// Our HTTP server serves the stream at this URL (ADR 0021). A request reaches this route only when there is no stream:
// on a host without our server, while our server receives no changes, while the platform is paused, or when the
// identifier is too long for a drop. While the platform is paused, route() refuses everyone except administrators. The
// status 204 makes the browser poll instead.
export const GET = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }) => {
    if (!(await findShownDrop(ctx, identifier))) throw dropError('NOT_FOUND')
    return new Response(null, { status: 204 })
  },
})
