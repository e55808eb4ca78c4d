import 'server-only'
import { createHash } from 'node:crypto'
import type { AppError } from '@/lib/kernel/app-error'
import {
  CONTENT_BYTES_HEADER,
  PERSONAL_CACHE_CONTROL,
  SERVER_TIME_HEADER,
  SHARED_CACHE_CONTROL,
} from '@/lib/kernel/response-headers.mjs'
import { toWellFormed } from '@/lib/kernel/text'

const PERSONAL = { 'Cache-Control': PERSONAL_CACHE_CONTROL }

/** Responds with 200 and JSON. Unless `headers` say otherwise, no shared cache may keep the response. */
export function ok(body: unknown, headers: HeadersInit = {}): Response {
  return Response.json(body, { status: 200, headers: { ...PERSONAL, ...headers } })
}

/** Responds with 202 and the number of seconds after which the client has to send the request again. */
export function waiting({ wait, code }: { wait: { seconds: number }; code: string }): Response {
  return Response.json({ wait, code }, { status: 202, headers: { ...PERSONAL, 'Retry-After': String(wait.seconds) } })
}

/**
 * Responds with one page of a list that is sorted by descending id. If there may be a next page, a header holds its
 * cursor.
 */
export function pageOf(items: { id: number }[], limit: number): Response {
  const last = items.length === limit ? items.at(-1) : undefined
  return ok(items, last ? { 'X-Next-Cursor': String(last.id) } : {})
}

/** Responds with 201 and the JSON of what was created. */
export function created(body: unknown): Response {
  return Response.json(body, { status: 201, headers: PERSONAL })
}

/** Responds with 204, for a call that has nothing to return. */
export function noContent(): Response {
  return new Response(null, { status: 204, headers: PERSONAL })
}

/**
 * Redirects with 303, so that the browser follows with a GET. `location` is a path on our origin or a URL at Stripe or
 * its stand-in.
 */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...PERSONAL, Location: inAscii(location) } })
}

/**
 * Writes a path or a URL in ASCII, because a header cannot hold other characters. A path is not parsed, because parsing
 * could turn it into the URL of another host.
 */
function inAscii(location: string): string {
  if (!location.startsWith('/')) return new URL(location).href
  return toWellFormed(location).replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

/** The header that gives our HTTP server the length of a streamed response. Next would drop a Content-Length header. */
export const bytesHeader = (bytes: number) => ({ [CONTENT_BYTES_HEADER]: String(bytes) })

/**
 * Returns the body of a response. Next calls GET for a request with HEAD and then reads no body, so a body that holds a
 * file or a connection is released here.
 */
export async function bodyFor(
  request: Request,
  body: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array> | null> {
  if (request.method !== 'HEAD') return body
  await body.cancel()
  return null
}

/** Responds with a file to download. */
export function download(body: string | ReadableStream<Uint8Array>, fileName: string, type: string): Response {
  const headers = { ...PERSONAL, 'Content-Type': type, 'Content-Disposition': `attachment; filename="${fileName}"` }
  return new Response(body, { headers })
}

/** Builds the JSON response for an error; `error` and `message` hold the same text (docs/contract.md#errors). */
export function failed(error: AppError, requestId: string): Response {
  const headers = new Headers(PERSONAL)
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds))
  const { message, code, field, work, url } = error
  const body = { error: message, message, code, field, work, url, requestId }
  return Response.json(body, { status: error.status, headers })
}

/**
 * Responds with JSON that is the same for everyone. The server's time is in `serverTime` and in a header. The ETag does
 * not depend on this time, so that a poll of unchanged data is answered without a body.
 */
export function publicJson(request: Request, body: object, { serverTime }: { serverTime: string }): Response {
  const headers = { ...sharedHeaders(body), [SERVER_TIME_HEADER]: serverTime }
  return unchanged(request, headers) ?? Response.json({ ...body, serverTime }, { headers })
}

/** Like publicJson(), for a fixed format that has no field for the time. Scripts of other sites may read it (CORS). */
export function publicDocument(request: Request, body: object, { serverTime }: { serverTime: string }): Response {
  const headers = { ...sharedHeaders(body), [SERVER_TIME_HEADER]: serverTime, 'Access-Control-Allow-Origin': '*' }
  return unchanged(request, headers) ?? Response.json(body, { headers })
}

function sharedHeaders(body: object) {
  const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 24)}"`
  return { 'Cache-Control': SHARED_CACHE_CONTROL, ETag: etag }
}

function unchanged(request: Request, headers: { ETag: string }): Response | null {
  return request.headers.get('if-none-match') === headers.ETag ? new Response(null, { status: 304, headers }) : null
}
