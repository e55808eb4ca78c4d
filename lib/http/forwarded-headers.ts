import 'server-only'
import type { NextRequest } from 'next/server'
import { isOurOrigin } from './origin'

/**
 * The headers that a page is given. Next refuses a server action whose Origin names another host than the request, as
 * every request does behind a proxy that does not pass the Host header on (nginx by default). The origin was compared
 * with ours in refusalOfPost(), so here it names the host.
 */
export function forwardedHeaders(request: NextRequest): Headers {
  const headers = new Headers(request.headers)
  const origin = request.headers.get('origin')
  if (request.method === 'POST' && origin !== null && isOurOrigin(origin)) {
    headers.set('x-forwarded-host', new URL(origin).host)
  }
  return headers
}
