import { deleteDrop } from '@/lib/drops/delete-drop'
import { editDrop } from '@/lib/drops/edit-drop'
import { unexpectedFile } from '@/lib/drops/guards'
import { MAX_KEYS_BYTES } from '@/lib/drops/key-rules'
import { dropIdParams, editDropSchema, imageFields } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { noContent, ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { withFiles } from '@/lib/http/with-files'
import { inOrder } from '@/lib/uploads/in-order'
import { MAX_IMAGE_BYTES } from '@/lib/uploads/rules'

const uploadLimits = {
  files: Object.fromEntries(imageFields.map((field) => [field, { maxBytes: MAX_IMAGE_BYTES }])),
  longFields: { keys: MAX_KEYS_BYTES },
  unexpectedFile,
  maxBytes: imageFields.length * MAX_IMAGE_BYTES + 1024 * 1024 + MAX_KEYS_BYTES,
}

/** Each edit with text is scanned, perhaps by an outside service, so one account may make this many in an hour. */
const EDIT_LIMIT = { name: 'edit-drop', points: 300, windowSeconds: 3600 }

export const PATCH = route({
  who: 'activeSeller',
  limitPerAccount: EDIT_LIMIT,
  params: dropIdParams,
  input: withFiles(editDropSchema, uploadLimits, { isJsonEnough: true }),
  run: async (ctx, { fields, files }, { id }) =>
    ok(toSellerDropView(await editDrop(ctx, { dropId: id, fields, images: inOrder(files) }))),
})

export const DELETE = route({
  who: 'seller',
  params: dropIdParams,
  run: async (ctx, _input, { id }) => {
    await deleteDrop(ctx, { dropId: id })
    return noContent()
  },
})
