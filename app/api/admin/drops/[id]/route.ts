import { adminError } from '@/lib/admin/messages'
import { findAdminDrop } from '@/lib/admin/queries'
import { removeDrop } from '@/lib/admin/remove-drop'
import { idParams, updateDropSchema } from '@/lib/admin/schema'
import { updateDrop } from '@/lib/admin/update-drop'
import { toAdminDropView } from '@/lib/admin/view'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const PATCH = route({
  who: 'admin',
  params: idParams,
  input: json(updateDropSchema),
  run: async (ctx, input, { id }) => {
    await updateDrop(ctx, id, input)
    const row = await findAdminDrop(ctx, id)
    if (!row) throw adminError('DROP_NOT_FOUND')
    return ok(toAdminDropView(row))
  },
})

export const DELETE = route({
  who: 'admin',
  params: idParams,
  run: async (ctx, _input, { id }) => {
    await removeDrop(ctx, id)
    return ok({ message: 'Drop deleted.' })
  },
})
