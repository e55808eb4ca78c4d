import { listUsers } from '@/lib/admin/queries'
import { listUsersSchema } from '@/lib/admin/schema'
import { toAdminUserView } from '@/lib/admin/view'
import { queryOf } from '@/lib/http/input'
import { pageOf } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { searchQueue } from '@/lib/http/search-queue'

// The body is a bare list (docs/contract.md#calls-of-administrators). `q`, `show`, `limit` and `cursor` narrow it; the
// header `X-Next-Cursor` holds the cursor of the next page.
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
