import { deleteDrop } from '@/lib/drops/delete-drop'
import { refuseDigitalFile } from '@/lib/drops/create-drop'
import { assertMaySendFile, editDrop } from '@/lib/drops/edit-drop'
import { unexpectedFile } from '@/lib/drops/guards'
import { MAX_KEYS_BYTES } from '@/lib/drops/keys/key-rules'
import { dropError } from '@/lib/drops/messages'
import { dropIdParams, editDropSchema, imageFields } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { noContent, ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import type { UploadLimits } from '@/lib/http/multipart'
import { withFiles } from '@/lib/http/with-files'
import { inOrder } from '@/lib/uploads/in-order'
import { MAX_FILE_BYTES, MAX_IMAGE_BYTES } from '@/lib/uploads/rules'

const uploadLimits: UploadLimits = {
  files: {
    ...Object.fromEntries(imageFields.map((field) => [field, { maxBytes: MAX_IMAGE_BYTES }])),
    digitalFile: {
      maxBytes: MAX_FILE_BYTES,
      tooLarge: () => dropError('FILE_TOO_LARGE'),
      refuse: refuseDigitalFile,
      admit: assertMaySendFile,
    },
  },
  longFields: { keys: MAX_KEYS_BYTES },
  unexpectedFile,
  maxBytes: MAX_FILE_BYTES + imageFields.length * MAX_IMAGE_BYTES + 1024 * 1024 + MAX_KEYS_BYTES,
}

/** Each edit with text is scanned, perhaps by an outside service, so one account may make this many in an hour. */
const EDIT_LIMIT = { name: 'edit-drop', points: 300, windowSeconds: 3600 }

export const PATCH = route({
  who: 'activeSeller',
  limitPerAccount: EDIT_LIMIT,
  params: dropIdParams,
  input: withFiles(editDropSchema, uploadLimits, { isJsonEnough: true }),
  run: async (ctx, { fields, files }, { id }) => {
    const images = inOrder(files.filter((file) => file.field !== 'digitalFile'))
    const digitalFile = files.find((file) => file.field === 'digitalFile')
    return ok(toSellerDropView(await editDrop(ctx, { dropId: id, fields, images, digitalFile })))
  },
})

export const DELETE = route({
  who: 'seller',
  params: dropIdParams,
  run: async (ctx, _input, { id }) => {
    await deleteDrop(ctx, { dropId: id })
    return noContent()
  },
})
