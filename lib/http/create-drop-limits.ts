import 'server-only'
import { assertMayPublish, refuseDigitalFile } from '@/lib/drops/create-drop'
import { unexpectedFile } from '@/lib/drops/guards'
import { MAX_KEYS_BYTES } from '@/lib/drops/keys/key-rules'
import { dropError } from '@/lib/drops/messages'
import { imageFields } from '@/lib/drops/schema'
import { MAX_FILE_BYTES, MAX_IMAGE_BYTES } from '@/lib/uploads/rules'
import type { UploadLimits } from './multipart'

/** The limits of a form that creates a drop, with and without JavaScript. */
export const createDropLimits = {
  files: {
    ...Object.fromEntries(imageFields.map((field) => [field, { maxBytes: MAX_IMAGE_BYTES }])),
    digitalFile: { maxBytes: MAX_FILE_BYTES, tooLarge: () => dropError('FILE_TOO_LARGE'), refuse: refuseDigitalFile },
  },
  longFields: { keys: MAX_KEYS_BYTES },
  unexpectedFile,
  admit: assertMayPublish,
  maxBytes: MAX_FILE_BYTES + imageFields.length * MAX_IMAGE_BYTES + 1024 * 1024 + MAX_KEYS_BYTES,
} satisfies UploadLimits
