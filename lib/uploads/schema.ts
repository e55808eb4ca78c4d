import { z } from 'zod/mini'
import { maxCharacters, maxItems } from '@/lib/kernel/max-characters'
import { MAX_FILE_BYTES, MAX_UPLOADS } from './rules'

/** POST /api/uploads: the files that the browser is going to send directly to the storage. */
export const startUploadsSchema = z.strictObject({
  files: z
    .array(
      z.strictObject({
        purpose: z.enum(['picture', 'file']),
        fileName: z.string().check(z.trim(), z.minLength(1), ...maxCharacters(255)),
        // Up to this size, a file that is too large passes the schema. startUploads() then refuses it with an error
        // that names the real limit.
        bytes: z.int().check(z.minimum(1), z.maximum(MAX_FILE_BYTES * 100)),
      }),
    )
    .check(z.minLength(1), maxItems(MAX_UPLOADS)),
})
export type StartUploadsInput = z.infer<typeof startUploadsSchema>

/** The keys of the files in a form that is sent as JSON, by field name. */
export const uploadKeysSchema = z.record(
  z.string().check(...maxCharacters(60)),
  z.string().check(z.regex(/^(?:files|incoming)\/[A-Za-z0-9_-]{1,60}(?:\.[a-z0-9]{1,5})?$/)),
)
