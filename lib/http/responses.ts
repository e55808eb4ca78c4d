import 'server-only'
import { createHash } from 'node:crypto'
import type { AppError } from '@/lib/kernel/app-error'

const PERSONAL = { 'Cache-Control': 'private, no-store' }

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

/** How long a streamed answer is; our server makes it the Content-Length, which Next would drop. */
export const bytesHeader = (bytes: number) => ({ 'X-Content-Bytes': String(bytes) })

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

/** How long a shared cache may answer for us: at most a second old, a little longer while it fetches anew. */
const SHARED_FOR_A_SECOND = 'public, max-age=0, s-maxage=1, stale-while-revalidate=2'

/**
 * An answer that is the same for everybody. The ETag covers what can change; the time of the answer stands beside it
 * in `serverTime` and in a header, so that an unchanged poll costs no body.
 */
export function publicJson(request: Request, body: object, { serverTime }: { serverTime: string }): Response {
  const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 24)}"`
  const headers = { 'Cache-Control': SHARED_FOR_A_SECOND, ETag: etag, 'X-Server-Time': serverTime }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return Response.json({ ...body, serverTime }, { headers })
}
