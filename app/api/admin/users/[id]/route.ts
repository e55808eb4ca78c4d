import { updateAccountSchema } from '@/lib/accounts/schema'
import { updateAccount } from '@/lib/accounts/update-account'
import { getUserDetail } from '@/lib/admin/get-user-detail'
import { idParams } from '@/lib/admin/schema'
import { toAdminUserView } from '@/lib/admin/view'
import { removeAccount } from '@/lib/closure/remove-account'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'admin',
  params: idParams,
  run: async (ctx, _input, { id }) => ok(await getUserDetail(ctx, id)),
})

export const PATCH = route({
  who: 'admin',
  params: idParams,
  input: json(updateAccountSchema),
  run: async (ctx, input, { id }) => ok(toAdminUserView(await updateAccount(ctx, id, input), ctx.clock.now())),
})

export const DELETE = route({
  who: 'admin',
  params: idParams,
  run: async (ctx, _input, { id }) => {
    await removeAccount(ctx, id)
    return ok({ message: 'User deleted.' })
  },
})
