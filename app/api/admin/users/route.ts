import { listUsers } from '@/lib/admin/queries'
import { listUsersSchema } from '@/lib/admin/schema'
import { toAdminUserView } from '@/lib/admin/view'
import { queryOf } from '@/lib/http/input'
import { pageOf } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { searchQueue } from '@/lib/http/search-queue'

// The body is a JSON array (docs/contract.md#calls-of-administrators). The parameters `q` and `show` filter the list,
// and `limit` and `cursor` select one page of it. The header `X-Next-Cursor` holds the cursor of the next page, if
// there may be one.
export const GET = route({
  who: 'admin',
  queue: searchQueue,
  run: async (ctx, _input, _params, request) => {
    const query = queryOf(listUsersSchema, request)
    const users = await listUsers(ctx.reading, query)
    const now = ctx.clock.now()
    return pageOf(
      users.map((user) => toAdminUserView(user, now)),
      query.limit,
    )
  },
})
