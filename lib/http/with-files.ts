import 'server-only'
import { z } from 'zod/mini'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { fetchUpload, type FetchedUpload } from '@/lib/uploads/fetch-upload'
import { uploadKeysSchema } from '@/lib/uploads/schema'
import { contentType, type FieldsSchema, type InputReader, json, parseFields, parseInput } from './input'
import { multipart, tooLarge, type UploadLimits } from './multipart'
import { withUploadTurn } from './with-upload-turn'

/** The largest total size of the fields of a JSON body, apart from the long ones. */
const SHORT_FIELDS_BYTES = 64 * 1024

const anyObject = z.record(z.string(), z.unknown())

/**
 * Reads fields with files: a multipart form, or JSON whose `uploads` names the files that the browser has sent before
 * the form (ADR 0032, ADR 0065). JSON is accepted when the storage has direct uploads or `isJsonEnough` is set.
 */
export function withFiles<Schema extends z.ZodMiniType>(
  schema: FieldsSchema<Schema>,
  limits: UploadLimits,
  { isJsonEnough = false } = {},
): InputReader<{ fields: z.infer<Schema>; files: FetchedUpload[] }> {
  const form = multipart(schema, limits)
  return {
    async read(request, ctx) {
      const takesJson = isJsonEnough || storage().direct !== null
      if (contentType(request) !== 'application/json' || !takesJson) return form.read(request, ctx)
      const longBytes = Object.values(limits.longFields ?? {}).reduce((sum, bytes) => sum + bytes, SHORT_FIELDS_BYTES)
      const { value: body } = await json(anyObject, longBytes).read(request, ctx)
      if (body.uploads === undefined) return { value: { fields: parseFields(schema, body, []), files: [] } }
      const { uploads, ...fields } = body
      const keys = Object.entries(parseInput(uploadKeysSchema, uploads))
      // The fields are checked before any file is fetched.
      const sentFiles = keys.map(([field]) => field)
      const value = parseFields(schema, fields, sentFiles)
      return withUploadTurn(ctx, limits.admit, async (admission, folder) => {
        await admission(fields)
        return { fields: value, files: await fetchAll(ctx, keys, limits, folder) }
      })
    },
  }
}

async function fetchAll(ctx: Context, keys: [field: string, key: string][], limits: UploadLimits, folder: string) {
  if (ctx.actor.kind !== 'user') throw platformError('NOT_SIGNED_IN')
  const files: FetchedUpload[] = []
  for (const [field, key] of keys) {
    const limit = Object.hasOwn(limits.files, field) ? limits.files[field] : undefined
    if (!limit) throw limits.unexpectedFile(field)
    const file = await fetchUpload(ctx as Context<UserActor>, { field, key, folder })
    if (file.bytes > limit.maxBytes) throw limit.tooLarge?.() ?? tooLarge(limits, field)
    files.push(file)
  }
  return files
}
