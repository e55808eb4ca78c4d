import 'server-only'
import Busboy from '@fastify/busboy'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod/mini'
import type { Context } from '@/lib/infra/context'
import type { RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import type { AppError } from '@/lib/kernel/app-error'
import { withPlainLineEnds } from '@/lib/kernel/text'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'
import { contentType, type FieldsSchema, type InputReader, parseFields } from './input'
import { readBody } from './read-body'
import { type Admission, withUploadTurn } from './with-upload-turn'

export type UploadedFile = {
  field: string
  fileName: string
  /** The type that the sender declares, which the bytes may not match. */
  declaredType: string
  path: string
  bytes: number
  sha256: string
}

type FileLimit = {
  maxBytes: number
  tooLarge?: () => AppError
  /** Returns an error when the fields sent before the file do not allow the file. */
  refuse?: (fields: Record<string, unknown>) => AppError | null
  /** Throws before the file is written if this person may not send it. */
  admit?: (ctx: Context<UserActor>) => Promise<void>
}

export type UploadLimits = {
  /** The fields that may contain a file, with the limits of each. */
  files: Record<string, FileLimit>
  /** The error for a file in any other field. */
  unexpectedFile: (field: string) => AppError
  /** The largest sizes, in bytes, of the text fields that may be longer than the others. */
  longFields?: Record<string, number>
  /** The largest size of the whole request. */
  maxBytes: number
  /**
   * The error for a file or request that is too large, unless the file's field has its own error. Without this option
   * the error is BODY_TOO_LARGE.
   */
  tooLarge?: () => AppError
  /**
   * Throws before the first file is written if this person may not upload. It receives the fields that were sent before
   * that file.
   */
  admit?: (ctx: Context<UserActor>, fields: Record<string, unknown>) => Promise<void>
  /** How many such requests a user may send in an hour. Without this option the limit of forms with files applies. */
  perHour?: RateLimit
  /** How long the sender may pause before the upload is refused. */
  silenceMs?: number
}

/** How long an upload may take (docs/product.md#limits-of-uploads). */
const MAX_BODY_MS = 10 * MINUTE_MS
const SILENCE_MS = 30 * SECOND_MS
const MAX_FIELDS = 40
const MAX_FIELD_BYTES = 32 * 1024

/**
 * Returns a reader that streams a multipart body. Fields are parsed by the schema. Files are written to disk under
 * DATA_DIR/tmp and never kept in memory. Files that still exist when the request has ended are removed.
 */
export function multipart<Schema extends z.ZodMiniType>(
  schema: FieldsSchema<Schema>,
  limits: UploadLimits,
): InputReader<{ fields: z.infer<Schema>; files: UploadedFile[] }> {
  return {
    async read(request, ctx) {
      if (contentType(request) !== 'multipart/form-data') throw platformError('WRONG_CONTENT_TYPE')
      if (Number(request.headers.get('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits)
      const readForm = async (admission: Admission, folder: string) => {
        const { fields, files } = await receive(request, ctx, { limits, folder, admission })
        const sentFiles = files.map(({ field }) => field)
        return { fields: parseFields(schema, fields, sentFiles), files }
      }
      return withUploadTurn(ctx, limits.admit, readForm, limits.perHour)
    },
  }
}

/** Returns the error for a form or a file that is too large, at `field` if it is about one file. */
export function tooLarge(limits: UploadLimits, field?: string): AppError {
  return limits.tooLarge?.() ?? platformError('BODY_TOO_LARGE', { field })
}

/** What has been read of a body so far. */
type Reception = {
  limits: UploadLimits
  folder: string
  fields: Record<string, string>
  files: UploadedFile[]
  writing: Promise<void>[]
  /** Called before the first byte of a file is written. Every file waits for the same admission of the form. */
  admit: (name: string) => Promise<void>
  /** Stops parsing and writing. Its reason is the first refusal. The rest of the body is discarded. */
  stop: AbortController
}

async function receive(
  request: Request,
  ctx: Context,
  { limits, folder, admission }: { limits: UploadLimits; folder: string; admission: Admission },
) {
  const stop = new AbortController()
  // The object has no prototype, because a field may have any name.
  const fields = Object.create(null) as Record<string, string>
  let admitted: Promise<void> | undefined
  const admit = async (name: string) => {
    await (admitted ??= admission(fields))
    if (ctx.actor.kind === 'user') await limits.files[name]?.admit?.(ctx as Context<UserActor>)
  }
  const reception: Reception = { limits, folder, fields, files: [], writing: [], admit, stop }
  const parser = createParser(request, Math.max(MAX_FIELD_BYTES, ...Object.values(limits.longFields ?? {})))
  // This uses `on` and not `once`, because a refusal and the broken end of the body may both be reported, and an error
  // without a listener ends the process.
  parser.on('error', (error) => stop.abort(platformError('MALFORMED_BODY', { cause: error })))
  parser.on('field', (name, value, isNameTruncated, isValueTruncated) => {
    if (!stop.signal.aborted) acceptField(reception, name, value, isNameTruncated || isValueTruncated)
  })
  parser.on('file', (name, stream, fileName, _encoding, declaredType) => {
    // When a body breaks off, each part reports an error, too. The parser has already reported it, so this one is
    // ignored. Without a listener it would end the process.
    stream.on('error', () => undefined)
    const file = stop.signal.aborted ? null : acceptFile(reception, { name, fileName: fileName ?? '', declaredType })
    if (file) reception.writing.push(writeFile(reception, stream, file))
    else stream.resume()
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => stop.abort(platformError('INVALID_INPUT')))
  }
  try {
    await feed(request, parser, reception)
  } catch (error) {
    stop.abort(error)
  }
  await Promise.all(reception.writing)
  if (stop.signal.aborted) {
    parser.destroy()
    throw stop.signal.reason
  }
  return { fields, files: reception.files.filter((file) => file.bytes > 0) }
}

function acceptField({ limits, fields, stop }: Reception, name: string, value: string, isTruncated: boolean): void {
  const field = String(name).slice(0, 60)
  const maxBytes = (Object.hasOwn(limits.longFields ?? {}, name) && limits.longFields?.[name]) || MAX_FIELD_BYTES
  if (isTruncated || Buffer.byteLength(value) > maxBytes) return stop.abort(platformError('BODY_TOO_LARGE', { field }))
  if (Object.hasOwn(fields, name) || value.includes('\u0000')) {
    return stop.abort(platformError('INVALID_INPUT', { field }))
  }
  fields[name] = withPlainLineEnds(value)
}

function acceptFile(
  { limits, folder, fields, files, stop }: Reception,
  { name, fileName, declaredType }: { name: string; fileName: string; declaredType: string },
): UploadedFile | null {
  const field = String(name).slice(0, 60)
  if (!Object.hasOwn(limits.files, name)) {
    stop.abort(limits.unexpectedFile(field))
    return null
  }
  if (files.some((file) => file.field === name)) {
    stop.abort(platformError('INVALID_INPUT', { field }))
    return null
  }
  const refusal = limits.files[name]!.refuse?.(fields)
  if (refusal) {
    stop.abort(refusal)
    return null
  }
  const file = { field: name, fileName, declaredType, path: path.join(folder, name), bytes: 0, sha256: '' }
  files.push(file)
  return file
}

function createParser(request: Request, fieldSize: number) {
  try {
    return new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      limits: {
        fields: MAX_FIELDS,
        files: 8,
        parts: MAX_FIELDS + 8,
        fieldSize,
        fieldNameSize: 100,
        headerPairs: 20,
      },
    })
  } catch (error) {
    throw platformError('MALFORMED_BODY', { cause: error })
  }
}

/**
 * Passes the body to the parser as fast as the parser can process it. After a refusal the rest is read and discarded,
 * up to the limits of size and time. Otherwise a response in the middle of an upload could be lost, or the unread rest
 * could be mistaken for the connection's next request.
 */
async function feed(request: Request, parser: Writable, { limits, stop }: Reception): Promise<void> {
  const silenceMs = limits.silenceMs ?? SILENCE_MS
  let total = 0
  for await (const chunk of readBody(request, { maxMs: MAX_BODY_MS, silenceMs })) {
    total += chunk.byteLength
    if (total > limits.maxBytes) throw tooLarge(limits)
    if (!stop.signal.aborted && !parser.write(chunk)) await parserEvent(parser, 'drain', silenceMs, stop.signal)
  }
  if (stop.signal.aborted) return
  const finished = parserEvent(parser, 'finish', silenceMs, stop.signal)
  parser.end()
  await finished
}

/**
 * Waits for an event of the parser or for a refusal. The time limit is needed, because the parser never finishes a body
 * in which a large part has no name.
 * @throws MALFORMED_BODY when the parser makes no progress.
 */
function parserEvent(parser: Writable, name: string, limitMs: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stopped.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      parser.removeListener(name, end)
      stopped.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(() => {
      reject(platformError('MALFORMED_BODY'))
      end()
    }, limitMs)
    parser.on(name, end)
    stopped.addEventListener('abort', end)
  })
}

/**
 * Writes a part to its file. The promise never rejects, because a failure stops the whole reception. The pipeline needs
 * the signal, because without it the pipeline would never end when its source is destroyed after the last byte was read
 * but before the end was announced.
 */
async function writeFile({ limits, stop, admit }: Reception, stream: Readable, file: UploadedFile): Promise<void> {
  const { maxBytes, tooLarge: ownError } = limits.files[file.field]!
  const hash = createHash('sha256')
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      file.bytes += chunk.length
      if (file.bytes > maxBytes) return done(ownError?.() ?? tooLarge(limits, file.field))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await admit(file.field)
    await pipeline(stream, measure, createWriteStream(file.path, { mode: 0o600 }), { signal: stop.signal })
    file.sha256 = hash.digest('hex')
  } catch (error) {
    stop.abort(error)
    stream.destroy()
  }
}
