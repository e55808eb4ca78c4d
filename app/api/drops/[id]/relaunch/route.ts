import { MAX_KEYS_BYTES } from '@/lib/drops/keys/key-rules'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { dropIdParams, relaunchSchema } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'activeSeller',
  params: dropIdParams,
  input: json(relaunchSchema, MAX_KEYS_BYTES),
  run: async (ctx, input, { id }) => ok(toSellerDropView(await relaunchDrop(ctx, { ...input, dropId: id }))),
})
