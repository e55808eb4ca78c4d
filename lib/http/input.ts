import 'server-only'
import { z } from 'zod/mini'
import type { Context } from '@/lib/infra/context'
import { withPlainLineEnds } from '@/lib/kernel/text'
import { platformError } from '@/lib/platform/messages'
import { readBody } from './read-body'

// Problems without a text of their own get our generic text instead of zod's.
z.config({ customError: () => platformError('INVALID_INPUT').message })

/** How a route reads its body. `dispose` runs when the request is over, whether it succeeded or not. */
export type InputReader<Input> = {
  read: (request: Request, ctx: Context) => Promise<{ value: Input; dispose?: () => Promise<void> }>
}

/** JSON bodies and forms are small; files are sent as multipart. */
const MAX_BODY_BYTES = 64 * 1024

/** Reads at most `maxBytes` of a body as text; a longer body is refused before all of it is in memory. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw platformError('BODY_TOO_LARGE')
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of readBody(request)) {
    total += chunk.byteLength
    if (total > maxBytes) throw platformError('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: false }).decode(Buffer.concat(chunks))
}

/** The media type of a body in lower case, without parameters such as the charset. */
export function contentType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
}

/** Checks a value against a schema. The first problem becomes the error, with its field (docs/contract.md#errors). */
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

/** Whether any text in a value contains a NUL character, which Postgres cannot store and nobody types. */
export function holdsNul(value: unknown): boolean {
  let level = [value]
  while (level.length > 0) {
    if (level.some((one) => typeof one === 'string' && one.includes('\u0000'))) return true
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? [...Object.keys(one), ...(Object.values(one) as unknown[])] : [],
    )
  }
  return false
}

/** The schema of the fields beside files: always the same, or chosen by the names of the file fields that were sent. */
export type FieldsSchema<Schema extends z.ZodMiniType> = Schema | ((sentFiles: string[]) => Schema)

/** Checks the fields that were sent beside files. */
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
  if (holdsNul(value)) throw platformError('INVALID_INPUT')
  return value
}

/** Reads a JSON body, which is required. */
export function json<Schema extends z.ZodMiniType>(schema: Schema): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      if (contentType(request) !== 'application/json') throw platformError('WRONG_CONTENT_TYPE')
      return { value: parseInput(schema, parseJson(await readText(request, MAX_BODY_BYTES))) }
    },
  }
}

/** Reads a plain HTML form post. */
export function urlencoded<Schema extends z.ZodMiniType>(schema: Schema): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      if (contentType(request) !== 'application/x-www-form-urlencoded') throw platformError('WRONG_CONTENT_TYPE')
      const fields = [...new URLSearchParams(await readText(request, MAX_BODY_BYTES))]
      const form = Object.fromEntries(fields.map(([name, value]) => [name, withPlainLineEnds(value)]))
      // A field that is sent twice is ambiguous.
      if (Object.keys(form).length < fields.length || holdsNul(form)) throw platformError('INVALID_INPUT')
      return { value: parseInput(schema, form) }
    },
  }
}

/** Reads a JSON body. Without a body the schema reads an empty object (docs/contract.md#calls). */
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

/** Checks the query of an address against a schema; unknown parameters (utm_source …) are ignored. */
export function queryOf<Schema extends z.ZodMiniType>(schema: Schema, request: Request): z.infer<Schema> {
  const { search, searchParams } = new URL(request.url)
  if (/%00/.test(search)) throw platformError('INVALID_INPUT')
  return parseInput(schema, Object.fromEntries([...searchParams].filter(([, value]) => value !== '')))
}
