import { settingsSchema } from '@/lib/accounts/schema'
import { updateSettings } from '@/lib/accounts/update-settings'
import { toUserView } from '@/lib/accounts/view'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const PATCH = route({
  who: 'seller',
  input: json(settingsSchema),
  run: async (ctx, input) => ok(toUserView(await updateSettings(ctx, input), ctx.clock.now())),
})
