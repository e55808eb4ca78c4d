import { z } from 'zod/mini'
import { exportedLists, exportList } from '@/lib/admin/export-list'
import { route } from '@/lib/http/route'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { platformError } from '@/lib/platform/messages'

export const GET = route({
  who: 'admin',
  params: z.object({ list: z.string() }),
  run: async (ctx, _input, { list }) => {
    const name = exportedLists.find((known) => known === list)
    if (!name) throw platformError('NOT_FOUND')
    return new Response(await exportList(ctx, name), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}.csv"`,
        'Cache-Control': PERSONAL_CACHE_CONTROL,
      },
    })
  },
})
