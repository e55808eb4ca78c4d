import { apiDocument } from '@/lib/http/openapi/api-document'
import { publicDocument } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'anyone',
  isPublic: true,
  run: async (ctx, _input, _params, request) =>
    publicDocument(request, apiDocument(), { serverTime: ctx.clock.now().toISOString() }),
})
