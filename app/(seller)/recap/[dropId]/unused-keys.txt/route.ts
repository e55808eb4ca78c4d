import { z } from 'zod/mini'
import { listUnusedKeys } from '@/lib/drops/keys/list-unused-keys'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { isFromOtherSite } from '@/lib/http/is-from-other-site'
import { download } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { dropIdParams } from '@/lib/drops/schema'
import { platformError } from '@/lib/platform/messages'

// Returns the keys of an ended drop that nobody bought, one per line, as a text file for the seller. The download is
// recorded, because the run cannot be put back on sale afterwards, so a link of another site must not cause it.
export const GET = route({
  who: 'seller',
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  params: z.object({ dropId: dropIdParams.shape.id }),
  run: async (ctx, _input, { dropId }, request) => {
    if (isFromOtherSite(request)) throw platformError('CROSS_ORIGIN')
    const keys = await listUnusedKeys(ctx, { dropId })
    return download(keys.map((key) => `${key}\n`).join(''), `unused-keys-${dropId}.txt`, 'text/plain; charset=utf-8')
  },
})
