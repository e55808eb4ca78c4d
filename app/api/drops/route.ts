import { assertMayPublish, createDrop, refuseDigitalFile } from '@/lib/drops/create-drop'
import { unexpectedFile } from '@/lib/drops/guards'
import { MAX_KEYS_BYTES } from '@/lib/drops/key-rules'
import { dropError, dropToasts } from '@/lib/drops/messages'
import { createDropSchema, imageFields } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { created } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { withFiles } from '@/lib/http/with-files'
import { inOrder } from '@/lib/uploads/in-order'
import { MAX_FILE_BYTES, MAX_IMAGE_BYTES } from '@/lib/uploads/rules'

const uploadLimits = {
  files: {
    ...Object.fromEntries(imageFields.map((field) => [field, { maxBytes: MAX_IMAGE_BYTES }])),
    digitalFile: { maxBytes: MAX_FILE_BYTES, tooLarge: () => dropError('FILE_TOO_LARGE'), refuse: refuseDigitalFile },
  },
  longFields: { keys: MAX_KEYS_BYTES },
  unexpectedFile,
  admit: assertMayPublish,
  maxBytes: MAX_FILE_BYTES + imageFields.length * MAX_IMAGE_BYTES + 1024 * 1024 + MAX_KEYS_BYTES,
}

export const POST = route({
  who: 'activeSeller',
  signInText: dropToasts.authenticationRequired.description,
  input: withFiles(createDropSchema, uploadLimits, { isJsonEnough: true }),
  run: async (ctx, { fields, files }) => {
    const images = inOrder(files.filter((file) => file.field !== 'digitalFile'))
    const digitalFile = files.find((file) => file.field === 'digitalFile')
    return created(toSellerDropView(await createDrop(ctx, { fields, images, digitalFile })))
  },
})
