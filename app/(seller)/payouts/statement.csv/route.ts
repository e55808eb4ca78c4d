import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { download } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { streamStatementCsv } from '@/lib/payouts/stream-statement-csv'

export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx) =>
    download(streamStatementCsv(ctx.db, ctx.actor.userId), 'lastcall-statement.csv', 'text/csv; charset=utf-8'),
})
