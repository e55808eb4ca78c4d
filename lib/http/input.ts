import 'server-only'
import { z } from 'zod/mini'
import type { Context } from '@/lib/infra/context'
import { withPlainLineEnds } from '@/lib/kernel/text'
import { platformError } from '@/lib/platform/messages'

// What a schema says nothing about is not explained in zod's own words.
z.config({ customError: () => platformError('INVALID_INPUT').message })

/** How a route reads its body: `dispose` runs when the request is over, whatever came of it. */
export type InputReader<Input> = {
  read: (request: Request, ctx: Context) => Promise<{ value: Input; dispose?: () => Promise<void> }>
}

/** JSON bodies and forms are small; files come by multipart. */
const MAX_BODY_BYTES = 64 * 1024

/** Reads at most `maxBytes` of a body as text; a longer one is refused before it is all in memory. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw platformError('BODY_TOO_LARGE')
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of (request.body ?? new ReadableStream()) as unknown as AsyncIterable<Uint8Array>) {
    total += chunk.byteLength
    if (total > maxBytes) throw platformError('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: false }).decode(Buffer.concat(chunks))
}

export function contentType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
}

/** Checks a value against a schema; the first problem becomes the answer, with its field (CONTRACT, Errors). */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.find((part) => typeof part === 'string')
  // An unknown key is named, its value never.
  const isUnknownKey = issue?.code === 'unrecognized_keys'
  throw platformError('INVALID_INPUT', {
    text: issue?.message,
    field: isUnknownKey ? issue.keys[0]?.slice(0, 60) : field,
  })
}

/** Whether a text in what was read holds a NUL: Postgres has none, and nobody types one. */
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

/** The fields beside files: a schema, or how the names of what was sent along lead to one. */
export type FieldsSchema<Schema extends z.ZodMiniType> = Schema | ((sentFiles: string[]) => Schema)

/** Checks the fields beside files. */
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

export function json<Schema extends z.ZodMiniType>(schema: Schema): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      if (contentType(request) !== 'application/json') throw platformError('WRONG_CONTENT_TYPE')
      return { value: parseInput(schema, parseJson(await readText(request, MAX_BODY_BYTES))) }
    },
  }
}

/** A plain HTML form post. */
export function urlencoded<Schema extends z.ZodMiniType>(schema: Schema): InputReader<z.infer<Schema>> {
  return {
    async read(request) {
      if (contentType(request) !== 'application/x-www-form-urlencoded') throw platformError('WRONG_CONTENT_TYPE')
      const fields = [...new URLSearchParams(await readText(request, MAX_BODY_BYTES))]
      const form = Object.fromEntries(fields.map(([name, value]) => [name, withPlainLineEnds(value)]))
      // A field said twice has no one meaning.
      if (Object.keys(form).length < fields.length || holdsNul(form)) throw platformError('INVALID_INPUT')
      return { value: parseInput(schema, form) }
    },
  }
}

/** A JSON body, or none at all: then the schema reads an empty object (SPEC §7: calls without a body). */
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

/** The query of an address against a schema; unknown parameters (utm_source …) are nobody's business. */
export function queryOf<Schema extends z.ZodMiniType>(schema: Schema, request: Request): z.infer<Schema> {
  const { search, searchParams } = new URL(request.url)
  if (/%00/.test(search)) throw platformError('INVALID_INPUT')
  return parseInput(schema, Object.fromEntries([...searchParams].filter(([, value]) => value !== '')))
}
