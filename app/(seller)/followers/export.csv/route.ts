import { streamFollowersCsv } from '@/lib/followers/stream-followers-csv'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { route } from '@/lib/http/route'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'

// Returns the confirmed followers of the signed-in seller and the record of their consent (docs/product.md#followers).
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx) => {
    const day = ctx.clock.now().toISOString().slice(0, 10)
    return new Response(streamFollowersCsv(ctx, ctx.actor.userId), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="lastcall-followers-${day}.csv"`,
        'Cache-Control': PERSONAL_CACHE_CONTROL,
      },
    })
  },
})
