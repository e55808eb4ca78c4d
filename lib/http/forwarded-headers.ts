import 'server-only'
import type { NextRequest } from 'next/server'
import { isOurOrigin } from './origin'

/**
 * The headers that a page is given. Next refuses a server action when its Origin and Host headers name different hosts.
 * They always do behind a proxy that does not pass the Host header on (nginx by default). The host of an origin that is
 * ours is therefore given to Next as x-forwarded-host.
 */
export function forwardedHeaders(request: NextRequest): Headers {
  const headers = new Headers(request.headers)
  const origin = request.headers.get('origin')
  if (request.method === 'POST' && origin !== null && isOurOrigin(origin)) {
    headers.set('x-forwarded-host', new URL(origin).host)
  }
  return headers
}
