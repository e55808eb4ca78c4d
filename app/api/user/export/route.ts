import { getUser, listDevices } from '@/lib/accounts/queries'
import { toUserView } from '@/lib/accounts/view'
import { listSellerDrops } from '@/lib/drops/queries'
import { toSellerDropView } from '@/lib/drops/view'
import { download } from '@/lib/http/responses'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { route } from '@/lib/http/route'
import { listAllSellerOrders } from '@/lib/orders/seller-queries'
import { ordersToCsv } from '@/lib/orders/stream-orders-csv'
import { platformError } from '@/lib/platform/messages'

// Everything we hold about a seller as JSON, or the orders as CSV for a spreadsheet (docs/product.md#exporting-data).
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx, _input, _params, request) => {
    const format = new URL(request.url).searchParams.get('format') ?? 'json'
    if (format !== 'json' && format !== 'csv') throw platformError('INVALID_INPUT', { field: 'format' })
    const { userId } = ctx.actor
    const orders = await listAllSellerOrders(ctx, userId)
    const name = `lastcall-${ctx.clock.now().toISOString().slice(0, 10)}`
    if (format === 'csv') return download(ordersToCsv(orders), `${name}-orders.csv`, 'text/csv; charset=utf-8')
    const [user, devices, drops] = await Promise.all([
      getUser(ctx.db, userId),
      listDevices(ctx),
      listSellerDrops(ctx, userId),
    ])
    const account = { ...toUserView(user, ctx.clock.now()), devices }
    const everything = {
      exportedAt: ctx.clock.now().toISOString(),
      account,
      drops: drops.map(toSellerDropView),
      orders,
    }
    return download(JSON.stringify(everything, null, 2), `${name}.json`, 'application/json')
  },
})
