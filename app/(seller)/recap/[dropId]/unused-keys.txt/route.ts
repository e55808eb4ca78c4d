import { z } from 'zod/mini'
import { listUnusedKeys } from '@/lib/drops/keys/list-unused-keys'
import { EXPORT_LIMIT, exportQueue } from '@/lib/http/export-queue'
import { download } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { dropIdParams } from '@/lib/drops/schema'

// Returns the keys of an ended drop that nobody bought, one per line, as a text file for the seller.
export const GET = route({
  who: 'seller',
  limit: EXPORT_LIMIT,
  queue: exportQueue,
  params: z.object({ dropId: dropIdParams.shape.id }),
  run: async (ctx, _input, { dropId }) => {
    const keys = await listUnusedKeys(ctx, { dropId })
    return download(keys.map((key) => `${key}\n`).join(''), `unused-keys-${dropId}.txt`, 'text/plain; charset=utf-8')
  },
})
