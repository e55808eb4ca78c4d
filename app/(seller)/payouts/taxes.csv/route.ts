import { getUser } from '@/lib/accounts/queries'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { download } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { traderError } from '@/lib/traders/messages'
import { readTaxPeriod } from '@/lib/traders/rules'
import { sumTaxes } from '@/lib/traders/sum-taxes'
import { toTaxCsv } from '@/lib/traders/view'

export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx, _input, _params, request) => {
    const period = readTaxPeriod(new URL(request.url).searchParams.get('period') ?? '')
    if (!period) throw traderError('BAD_PERIOD')
    const { userId } = ctx.actor
    const { timezone } = await getUser(ctx.db, userId)
    const lines = await sumTaxes(ctx, userId, period, timezone)
    return download(toTaxCsv(lines), `lastcall-taxes-${period.name}.csv`, 'text/csv; charset=utf-8')
  },
})
