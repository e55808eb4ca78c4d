import { getUser, listDevices, listPasskeys } from '@/lib/accounts/queries'
import { toUserView } from '@/lib/accounts/view'
import { listSellerCodes } from '@/lib/drops/codes/code-queries'
import { toDiscountCodeView } from '@/lib/drops/codes/code-view'
import { listSellerRuns } from '@/lib/drops/history/history-queries'
import { listDropsForExport } from '@/lib/drops/queries'
import { toSellerDropView } from '@/lib/drops/view'
import { walkFollowers } from '@/lib/followers/queries'
import { download } from '@/lib/http/responses'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { route } from '@/lib/http/route'
import { streamJson } from '@/lib/kernel/stream-json'
import { sellerOrderFilterSchema } from '@/lib/orders/filter-schema'
import { walkOrdersWithKeys } from '@/lib/orders/seller-queries'
import { streamOrdersCsv } from '@/lib/orders/stream-orders-csv'
import { platformError } from '@/lib/platform/messages'
import { findPublicProfile } from '@/lib/profiles/queries'
import { listSellerDetails, listTaxRates } from '@/lib/traders/queries'

// Returns a seller's account, drops, orders and followers as JSON, or only the orders as CSV for a spreadsheet
// (docs/product.md#exporting-data). Orders and followers are streamed, because a large shop has hundreds of thousands.
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx, _input, _params, request) => {
    const format = new URL(request.url).searchParams.get('format') ?? 'json'
    if (format !== 'json' && format !== 'csv') throw platformError('INVALID_INPUT', { field: 'format' })
    const { userId } = ctx.actor
    const name = `lastcall-${ctx.clock.now().toISOString().slice(0, 10)}`
    if (format === 'csv') {
      const orders = streamOrdersCsv(ctx, userId, sellerOrderFilterSchema.parse({}))
      return download(orders, `${name}-orders.csv`, 'text/csv; charset=utf-8')
    }
    const [user, devices, passkeys, drops, runs, codes, publicProfile, sellerDetails, taxRates] = await Promise.all([
      getUser(ctx.db, userId),
      listDevices(ctx),
      listPasskeys(ctx),
      listDropsForExport(ctx, userId),
      listSellerRuns(ctx, userId),
      listSellerCodes(ctx, userId),
      findPublicProfile(ctx, userId),
      listSellerDetails(ctx.db, userId),
      listTaxRates(ctx.db, userId),
    ])
    const account = { ...toUserView(user, ctx.clock.now()), devices, passkeys, publicProfile, sellerDetails, taxRates }
    const fields = {
      exportedAt: ctx.clock.now().toISOString(),
      account,
      drops: drops.map((drop) => ({ ...toSellerDropView(drop), isHidden: drop.isHidden })),
      runs,
      discountCodes: codes.map((code) => ({ dropId: code.dropId, ...toDiscountCodeView(code) })),
    }
    const lists = { orders: walkOrdersWithKeys(ctx, userId), followers: walkFollowers(ctx, userId) }
    return download(streamJson(fields, lists), `${name}.json`, 'application/json')
  },
})
