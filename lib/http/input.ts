import 'server-only'
import { z } from 'zod/mini'
import type { Context } from '@/lib/infra/context'
import { withPlainLineEnds } from '@/lib/kernel/text'
import { platformError } from '@/lib/platform/messages'
import { type BodyTimes, readBody } from './read-body'

// Problems that have no text of their own get our generic text instead of zod's text.
z.config({ customError: () => platformError('INVALID_INPUT').message })

/** How a route reads its body. `dispose` runs when the request has ended, whether it succeeded or not. */
export type InputReader<Input> = {
  read: (request: Request, ctx: Context) => Promise<{ value: Input; dispose?: () => Promise<void> }>
}

/**
 * The largest size of a JSON body, unless a route allows more, and of a form without files. Multipart bodies have their
 * own limits.
 */
const MAX_BODY_BYTES = 64 * 1024

/**
 * Reads a body of at most `maxBytes` as text. A longer body is refused before all of it is in memory.
 * @param times how long the body may take, if it may be larger than a few kilobytes.
 * @throws BODY_TOO_LARGE, BODY_TIMED_OUT, MALFORMED_BODY
 */
export async function readText(request: Request, maxBytes: number, times?: BodyTimes): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw platformError('BODY_TOO_LARGE')
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of readBody(request, times)) {
    total += chunk.byteLength
    if (total > maxBytes) throw platformError('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: false }).decode(Buffer.concat(chunks))
}

/** Returns the media type of a body in lower case, without parameters such as the charset. */
export function contentType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
}

/**
 * Checks a value against a schema and returns the parsed value. The first problem becomes the error, with its field
 * (docs/contract.md#errors).
 * @throws INVALID_INPUT
 */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.find((part) => typeof part === 'string')
  // The error names an unknown key, but never contains its value.
  const isUnknownKey = issue?.code === 'unrecognized_keys'
  throw platformError('INVALID_INPUT', {
    text: issue?.message,
    field: isUnknownKey ? issue.keys[0]?.slice(0, 60) : field,
  })
}

/** Whether any string or key in a value contains a NUL character, which Postgres cannot store and nobody types. */
export function containsNul(value: unknown): boolean {
  let level = [value]
  while (level.length > 0) {
    if (level.some((one) => typeof one === 'string' && one.includes('\u0000'))) return true
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? [...Object.keys(one), ...(Object.values(one) as unknown[])] : [],
    )
  }
  return false
}

/**
 * The schema of the fields that are sent together with files. It is either always the same or chosen by the names of
 * the file fields that were sent.
 */
export type FieldsSchema<Schema extends z.ZodMiniType> = Schema | ((sentFiles: string[]) => Schema)

/** Checks the fields that were sent together with files. */
export function parseFields<Schema extends z.ZodMiniType>(
  schema: FieldsSchema<Schema>,
  fields: unknown,
  sentFiles: string[],
): z.infer<Schema> {
  return parseInput(typeof schema === 'function' ? schema(sentFiles) : schema, fields)
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw platformError('MALFORMED_BODY', { cause: error })
  }
  if (containsNul(value)) throw platformError('INVALID_INPUT')
  return value
}

/** Returns a reader of a JSON body, which is required. */
export function json<Schema extends z.ZodMiniType>(
  schema: Schema,
  maxBytes = MAX_BODY_BYTES,
): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      if (contentType(request) !== 'application/json') throw platformError('WRONG_CONTENT_TYPE')
      return { value: parseInput(schema, parseJson(await readText(request, maxBytes))) }
    },
  }
}

/** Returns a reader of a plain HTML form. */
export function urlencoded<Schema extends z.ZodMiniType>(schema: Schema): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      if (contentType(request) !== 'application/x-www-form-urlencoded') throw platformError('WRONG_CONTENT_TYPE')
      const fields = [...new URLSearchParams(await readText(request, MAX_BODY_BYTES))]
      const form = Object.fromEntries(fields.map(([name, value]) => [name, withPlainLineEnds(value)]))
      // A field that is sent twice is ambiguous.
      if (Object.keys(form).length < fields.length || containsNul(form)) throw platformError('INVALID_INPUT')
      return { value: parseInput(schema, form) }
    },
  }
}

/**
 * Returns a reader of an optional JSON body. Without a body the schema parses an empty object (docs/contract.md#calls).
 */
export function optionalJson<Schema extends z.ZodMiniType>(schema: Schema): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      const text = await readText(request, MAX_BODY_BYTES)
      if (text.trim() === '') return { value: parseInput(schema, {}) }
      if (contentType(request) !== 'application/json') throw platformError('WRONG_CONTENT_TYPE')
      return { value: parseInput(schema, parseJson(text)) }
    },
  }
}

/**
 * Parses the query of the request's URL with a schema. Empty parameters are ignored, and so are unknown ones such as
 * utm_source.
 * @throws INVALID_INPUT
 */
export function queryOf<Schema extends z.ZodMiniType>(schema: Schema, request: Request): z.infer<Schema> {
  const { search, searchParams } = new URL(request.url)
  if (/%00/.test(search)) throw platformError('INVALID_INPUT')
  return parseInput(schema, Object.fromEntries([...searchParams].filter(([, value]) => value !== '')))
}
