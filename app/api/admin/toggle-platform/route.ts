import { togglePlatform } from '@/lib/admin/toggle-platform'
import { optionalJson } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { togglePlatformSchema } from '@/lib/platform/schema'

export const POST = route({
  who: 'admin',
  input: optionalJson(togglePlatformSchema),
  run: async (ctx, input) => ok(await togglePlatform(ctx, input)),
})
