import { panelSearchSchema } from '@/lib/admin/schema'
import { searchPanel } from '@/lib/admin/search-panel'
import { queryOf } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { searchQueue } from '@/lib/http/search-queue'

export const GET = route({
  who: 'admin',
  limit: { name: 'admin-search', points: 120, windowSeconds: 60 },
  queue: searchQueue,
  run: async (ctx, _input, _params, request) => ok(await searchPanel(ctx.reading, queryOf(panelSearchSchema, request))),
})
