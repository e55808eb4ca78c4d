import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { readPlatformState } from '@/lib/platform/queries'

export const GET = route({
  who: 'admin',
  run: async (ctx) => ok({ isActive: (await readPlatformState(ctx)).isActive }),
})
