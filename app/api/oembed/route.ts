import { dropError } from '@/lib/drops/messages'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { identifierOfLink } from '@/lib/http/identifier-of-link'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { platformError } from '@/lib/platform/messages'
import { toPreviewedDrop } from '@/lib/previews/drop-metadata'
import { OEMBED_CACHE_SECONDS, toOembed } from '@/lib/previews/to-oembed'

export const GET = route({
  who: 'anyone',
  isPublic: true,
  run: async (ctx, _input, _params, request) => {
    const { searchParams } = new URL(request.url)
    const link = searchParams.get('url')
    if (!link) throw platformError('INVALID_INPUT', { field: 'url' })
    if ((searchParams.get('format') ?? 'json') !== 'json') throw platformError('FORMAT_NOT_OFFERED')
    const identifier = identifierOfLink(link)
    const row = identifier ? await findShownDrop(ctx, identifier) : null
    if (!row) throw dropError('NOT_FOUND')
    return ok(toOembed(toPreviewedDrop(row)), {
      'Cache-Control': `public, max-age=${OEMBED_CACHE_SECONDS}`,
      'Access-Control-Allow-Origin': '*',
    })
  },
})
