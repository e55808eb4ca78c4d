import 'server-only'
import { createHash } from 'node:crypto'
import type { AppError } from '@/lib/kernel/app-error'
import {
  CONTENT_BYTES_HEADER,
  PERSONAL_CACHE_CONTROL,
  SERVER_TIME_HEADER,
  SHARED_CACHE_CONTROL,
} from '@/lib/kernel/response-headers.mjs'

const PERSONAL = { 'Cache-Control': PERSONAL_CACHE_CONTROL }

export function ok(body: unknown, headers: HeadersInit = {}): Response {
  return Response.json(body, { status: 200, headers: { ...PERSONAL, ...headers } })
}

/** One page of a list by falling id; the header holds the cursor of the next one, as long as there may be one. */
export function pageOf(items: { id: number }[], limit: number): Response {
  const last = items.length === limit ? items.at(-1) : undefined
  return ok(items, last ? { 'X-Next-Cursor': String(last.id) } : {})
}

export function created(body: unknown): Response {
  return Response.json(body, { status: 201, headers: PERSONAL })
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: PERSONAL })
}

/** A redirect after a form post; `location` is a path or one of our own absolute addresses. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...PERSONAL, Location: location } })
}

/** Says how long a streamed answer is. Our HTTP server makes it the Content-Length, which Next would drop. */
export const bytesHeader = (bytes: number) => ({ [CONTENT_BYTES_HEADER]: String(bytes) })

/** A file to keep. */
export function download(body: string, fileName: string, type: string): Response {
  const headers = { ...PERSONAL, 'Content-Type': type, 'Content-Disposition': `attachment; filename="${fileName}"` }
  return new Response(body, { headers })
}

/** CONTRACT, Errors: error and message hold the same text. */
export function failed(error: AppError, requestId: string): Response {
  const headers = new Headers(PERSONAL)
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds))
  const body = { error: error.message, message: error.message, code: error.code, field: error.field, requestId }
  return Response.json(body, { status: error.status, headers })
}

/**
 * An answer that is the same for everybody. The ETag covers what can change; the time of the answer stands beside it
 * in `serverTime` and in a header, so that an unchanged poll costs no body.
 */
export function publicJson(request: Request, body: object, { serverTime }: { serverTime: string }): Response {
  const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 24)}"`
  const headers = { 'Cache-Control': SHARED_CACHE_CONTROL, ETag: etag, [SERVER_TIME_HEADER]: serverTime }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return Response.json({ ...body, serverTime }, { headers })
}
