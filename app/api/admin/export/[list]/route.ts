import { z } from 'zod/mini'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { exportedLists, exportList } from '@/lib/admin/export-list'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { noContent } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { platformError } from '@/lib/platform/messages'

export const GET = route({
  who: 'admin',
  params: z.object({ list: z.string() }),
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  run: async (ctx, _input, { list }, request) => {
    const name = exportedLists.find((known) => known === list)
    if (!name) throw platformError('NOT_FOUND')
    // The panel first calls this route with `check`, so that it can ask for the second factor before the browser starts
    // the download.
    if (new URL(request.url).searchParams.has('check')) {
      assertSteppedUp(ctx)
      return noContent()
    }
    return new Response(await exportList(ctx, name), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}.csv"`,
        'Cache-Control': PERSONAL_CACHE_CONTROL,
      },
    })
  },
})
