import { z } from 'zod/mini'
import { assertMayKeepPhoto, keepPhoto } from '@/lib/drops/files/keep-photo'
import { multipart } from '@/lib/http/multipart'
import { created } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { platformError } from '@/lib/platform/messages'
import { uploadError } from '@/lib/uploads/messages'
import { MAX_IMAGE_BYTES, PHOTO_LIMIT, PHOTO_NETWORK_LIMIT } from '@/lib/uploads/rules'

const uploadLimits = {
  files: { photo: { maxBytes: MAX_IMAGE_BYTES } },
  unexpectedFile: (field: string) => platformError('INVALID_INPUT', { field }),
  admit: assertMayKeepPhoto,
  perHour: PHOTO_LIMIT,
  maxBytes: MAX_IMAGE_BYTES + 64 * 1024,
  tooLarge: () => uploadError('IMAGE_TOO_LARGE'),
}

export const POST = route({
  who: 'activeSeller',
  limit: PHOTO_NETWORK_LIMIT,
  input: multipart(z.strictObject({}), uploadLimits),
  run: async (ctx, { files }) => created(await keepPhoto(ctx, files[0])),
})
