import 'server-only'
import Busboy from '@fastify/busboy'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod/mini'
import { temporaryFolder } from '@/lib/infra/temporary-folder'
import { AppError } from '@/lib/kernel/app-error'
import { newId } from '@/lib/kernel/id'
import { withPlainLineEnds } from '@/lib/kernel/text'
import { platformError } from '@/lib/platform/messages'
import { contentType, type FieldsSchema, type InputReader, parseFields } from './input'

export type UploadedFile = {
  field: string
  fileName: string
  /** The type that the sender declares; the bytes may be something else. */
  declaredType: string
  path: string
  bytes: number
  sha256: string
}

type FileLimit = { maxBytes: number; tooLarge?: () => AppError }

export type UploadLimits = {
  /** Which fields may carry a file, how large each file may be, and the error for a larger one. */
  files: Record<string, FileLimit>
  /** The error for a file in any other field. */
  unexpectedFile: (field: string) => AppError
  /** The largest size of the whole request. */
  maxBytes: number
  /**
   * The error for too large a file or request where the field has none of its own; BODY_TOO_LARGE when it is not set.
   */
  tooLarge?: () => AppError
}

const MAX_FIELDS = 40
const MAX_FIELD_BYTES = 32 * 1024

/**
 * Streams a multipart body: fields go through the schema, files to disk under DATA_DIR/tmp, never into memory. Files
 * that are still there when the request is over are removed.
 */
export function multipart<Schema extends z.ZodMiniType>(
  schema: FieldsSchema<Schema>,
  limits: UploadLimits,
): InputReader<{ fields: z.infer<Schema>; files: UploadedFile[] }> {
  return {
    async read(request) {
      if (contentType(request) !== 'multipart/form-data') throw platformError('WRONG_CONTENT_TYPE')
      if (Number(request.headers.get('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits)
      return inTemporaryFolder(async (folder) => {
        const { fields, files } = await receive(request, limits, folder)
        const sentFiles = files.map(({ field }) => field)
        return { fields: parseFields(schema, fields, sentFiles), files }
      })
    },
  }
}

/** Reads into a temporary folder, which is removed when the request is over or when reading fails. */
export async function inTemporaryFolder<Value>(read: (folder: string) => Promise<Value>) {
  const folder = path.join(temporaryFolder(), newId('upload'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return { value: await read(folder), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

export function tooLarge(limits: UploadLimits, field?: string): AppError {
  return limits.tooLarge?.() ?? platformError('BODY_TOO_LARGE', { field })
}

async function receive(request: Request, limits: UploadLimits, folder: string) {
  // The object has no prototype, because a field may have any name.
  const fields = Object.create(null) as Record<string, string>
  const files: UploadedFile[] = []
  const writing: Promise<void>[] = []
  const parser = createParser(request)
  // The files that are being written. After a refusal the parser still emits what it has already read, so these streams
  // must be destroyed, or nothing would end them.
  const open = new Set<Readable>()
  let isRefused = false
  // The parser may finish before the last bytes of a file are written. It does not report an error after that, so it is
  // kept here.
  let writeFailure: unknown
  // The first refusal counts; the rest of the body is not parsed.
  const refuse = (error: AppError) => {
    isRefused = true
    parser.destroy(error)
  }

  parser.on('field', (name, value, isNameTruncated, isValueTruncated) => {
    if (isRefused) return
    if (isNameTruncated || isValueTruncated)
      return refuse(platformError('BODY_TOO_LARGE', { field: name.slice(0, 60) }))
    if (Object.hasOwn(fields, name)) return refuse(platformError('INVALID_INPUT', { field: name.slice(0, 60) }))
    if (value.includes('\u0000')) return refuse(platformError('INVALID_INPUT', { field: name.slice(0, 60) }))
    fields[name] = withPlainLineEnds(value)
  })
  parser.on('file', (name, stream, fileName, _encoding, declaredType) => {
    // A body that breaks off is also reported on each part. The parser has already reported it, so this copy is
    // ignored; without a listener it would end the process.
    stream.on('error', () => undefined)
    if (isRefused) return void stream.resume()
    const limit = Object.hasOwn(limits.files, name) ? limits.files[name] : undefined
    if (!limit || files.some((file) => file.field === name)) {
      stream.resume()
      return refuse(
        limit
          ? platformError('INVALID_INPUT', { field: name.slice(0, 60) })
          : limits.unexpectedFile(String(name).slice(0, 60)),
      )
    }
    const file: UploadedFile = {
      field: name,
      fileName: fileName ?? '',
      declaredType,
      path: path.join(folder, name),
      bytes: 0,
      sha256: '',
    }
    files.push(file)
    open.add(stream)
    const refusal = () => limit.tooLarge?.() ?? tooLarge(limits, file.field)
    const written = writeFile(stream, file, limit.maxBytes, refusal).finally(() => open.delete(stream))
    // The error is caught here, so that a refusal never becomes an unhandled rejection.
    writing.push(
      written.catch((error: unknown) => {
        writeFailure ??= error
        parser.destroy(error as Error)
      }),
    )
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => refuse(platformError('INVALID_INPUT')))
  }

  try {
    await feed(request, parser, limits)
    await Promise.all(writing)
    if (writeFailure) throw writeFailure
  } catch (error) {
    for (const stream of open) stream.destroy()
    await Promise.all(writing)
    if (error instanceof AppError) throw error
    throw platformError('MALFORMED_BODY', { cause: error })
  }
  return { fields, files: files.filter((file) => file.bytes > 0) }
}

function createParser(request: Request) {
  try {
    return new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      limits: {
        fields: MAX_FIELDS,
        files: 8,
        parts: MAX_FIELDS + 8,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: 100,
        headerPairs: 20,
      },
    })
  } catch (error) {
    throw platformError('MALFORMED_BODY', { cause: error })
  }
}

/**
 * Passes the body to the parser as fast as it can take it. After a refusal the rest is read and discarded: a response
 * in the middle of an upload could be lost, or the unread rest would be taken for the connection's next request.
 */
async function feed(request: Request, parser: Writable, limits: UploadLimits): Promise<void> {
  let failure: unknown
  const failed = new Promise<void>((resolve) => {
    // `on`, not `once`: a refusal and the broken end of the body may both be reported, and an error without a listener
    // ends the process.
    parser.on('error', (error) => {
      failure ??= error
      resolve()
    })
  })
  const done = new Promise<void>((resolve) => parser.once('finish', resolve))
  let total = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    total += chunk.byteLength
    if (total > limits.maxBytes) throw tooLarge(limits)
    if (failure || parser.write(chunk)) continue
    await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), failed])
  }
  if (!failure) {
    parser.end()
    await Promise.race([done, failed])
  }
  if (failure) throw failure
}

async function writeFile(
  stream: Readable,
  file: UploadedFile,
  maxBytes: number,
  refusal: () => AppError,
): Promise<void> {
  const hash = createHash('sha256')
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      file.bytes += chunk.length
      if (file.bytes > maxBytes) return done(refusal())
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(stream, measure, createWriteStream(file.path, { mode: 0o600 }))
  file.sha256 = hash.digest('hex')
}
