import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { route } from '@/lib/http/route'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { listPayoutLines } from '@/lib/payouts/queries'
import { toStatementCsv } from '@/lib/payouts/view'

const MAX_LINES = 10_000

export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx) => {
    const lines = await listPayoutLines(ctx.db, ctx.actor.userId, MAX_LINES)
    return new Response(toStatementCsv(lines), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="lastcall-statement.csv"',
        'Cache-Control': PERSONAL_CACHE_CONTROL,
      },
    })
  },
})
