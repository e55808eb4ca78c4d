import { z } from 'zod/mini'
import { MAX_FILE_BYTES, MAX_UPLOADS } from './rules'

/** POST /api/uploads: what the browser is going to send to the storage itself. */
export const startUploadsSchema = z.strictObject({
  files: z
    .array(
      z.strictObject({
        purpose: z.enum(['picture', 'file']),
        fileName: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
        // Too much is answered with the limit's own words.
        bytes: z.int().check(z.minimum(1), z.maximum(MAX_FILE_BYTES * 100)),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_UPLOADS)),
})
export type StartUploadsInput = z.infer<typeof startUploadsSchema>

/** In a form sent as JSON: the keys of its files, by the names of their fields. */
export const uploadKeysSchema = z.record(
  z.string().check(z.maxLength(60)),
  z.string().check(z.regex(/^(?:files|incoming)\/[A-Za-z0-9_-]{1,60}(?:\.[a-z0-9]{1,5})?$/)),
)
