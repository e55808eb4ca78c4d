import 'server-only'
import type { NextRequest } from 'next/server'
import { isOurOrigin } from './origin'

/**
 * Returns the request headers that the middleware passes to Next. Next refuses a server action when its Origin and Host
 * headers name different hosts. Behind a proxy that does not pass the Host header on (the default of nginx) they always
 * differ. When the origin of a POST request is ours, its host is therefore passed on as x-forwarded-host.
 */
export function forwardedHeaders(request: NextRequest): Headers {
  const headers = new Headers(request.headers)
  const origin = request.headers.get('origin')
  if (request.method === 'POST' && origin !== null && isOurOrigin(origin)) {
    headers.set('x-forwarded-host', new URL(origin).host)
  }
  return headers
}
