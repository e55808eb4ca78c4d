import { listUsers } from '@/lib/admin/queries'
import { listUsersSchema } from '@/lib/admin/schema'
import { toAdminUserView } from '@/lib/admin/view'
import { queryOf } from '@/lib/http/input'
import { pageOf } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

// The bare list of SPEC §7; `q`, `show`, `limit` and `cursor` narrow it, `X-Next-Cursor` leads on.
export const GET = route({
  who: 'admin',
  run: async (ctx, _input, _params, request) => {
    const query = queryOf(listUsersSchema, request)
    const users = await listUsers(ctx, query)
    const now = ctx.clock.now()
    return pageOf(
      users.map((user) => toAdminUserView(user, now)),
      query.limit,
    )
  },
})
