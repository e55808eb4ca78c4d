import { queryOf } from '@/lib/http/input'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { route } from '@/lib/http/route'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { streamOrdersCsv } from '@/lib/orders/stream-orders-csv'

// Returns all orders that match the filter of the seller's list, as a CSV file. The seller can add tracking numbers to
// the file and upload it on /orders/import, with at most 5,000 lines at a time.
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx, _input, _params, request) => {
    const orders = streamOrdersCsv(ctx, ctx.actor.userId, queryOf(sellerOrderFilterSchema, request))
    const day = ctx.clock.now().toISOString().slice(0, 10)
    return new Response(orders, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="lastcall-orders-${day}.csv"`,
        'Cache-Control': PERSONAL_CACHE_CONTROL,
      },
    })
  },
})
