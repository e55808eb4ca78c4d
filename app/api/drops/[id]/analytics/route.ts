import { getAnalytics } from '@/lib/drops/analytics/get-analytics'
import { dropIdParams } from '@/lib/drops/schema'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'seller',
  params: dropIdParams,
  run: async (ctx, _input, { id }) => ok(await getAnalytics(ctx, { dropId: id })),
})
