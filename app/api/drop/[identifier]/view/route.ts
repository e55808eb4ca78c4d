import { z } from 'zod/mini'
import { countView } from '@/lib/drops/analytics/count-view'
import { findPublicDrop } from '@/lib/drops/queries'
import { visitSource } from '@/lib/drops/rules'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { env } from '@/lib/infra/env'

const MAX_PARAMETER = 200

export const POST = route({
  who: 'anyone',
  params: z.object({ identifier: z.string() }),
  run: async (ctx, _input, { identifier }, request) => {
    const drop = await findPublicDrop(ctx, identifier)
    if (!drop) return noContent()
    const { searchParams } = new URL(request.url)
    const parameter = (name: string) => (searchParams.get(name) ?? '').slice(0, MAX_PARAMETER)
    const host = parameter('from')
    const userAgent = request.headers.get('user-agent') ?? ''
    const isOurs = host === new URL(env().appUrl).hostname
    const source = visitSource({ tag: parameter('tag'), host: isOurs ? '' : host, userAgent })
    countView(ctx, { dropId: drop.id, ownerId: drop.userId, userAgent, source })
    return noContent()
  },
})
