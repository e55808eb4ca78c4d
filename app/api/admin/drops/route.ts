import { listDrops } from '@/lib/admin/queries'
import { listDropsSchema } from '@/lib/admin/schema'
import { toAdminDropView } from '@/lib/admin/view'
import { queryOf } from '@/lib/http/input'
import { pageOf } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { searchQueue } from '@/lib/http/search-queue'

// The body is a JSON array (docs/contract.md#calls-of-administrators). The parameters `q`, `type` and `show` filter the
// list, and `limit` and `cursor` select one page of it. The header `X-Next-Cursor` holds the cursor of the next page,
// if there may be one.
export const GET = route({
  who: 'admin',
  queue: searchQueue,
  run: async (ctx, _input, _params, request) => {
    const query = queryOf(listDropsSchema, request)
    return pageOf((await listDrops(ctx.reading, query)).map(toAdminDropView), query.limit)
  },
})
