import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'
import { type DirectCall, directCalls } from '@/lib/kernel/direct-calls.mjs'
import { newId } from '@/lib/kernel/id'
import { toAppError } from './answer'
import { createCookieJar, keepCookieJar } from './cookies/cookie-jar'
import { failed } from './responses'
import { securityHeaders } from './security-headers.mjs'

type Handler = (request: Request, next: { params: Promise<Record<string, never>> }) => Promise<Response>

/** A placeholder, because Request needs an absolute URL. The handlers read only its path. */
const ORIGIN = 'http://localhost'

/** The headers that Next would add to the responses of these calls (next.config.js). */
const COMMON = securityHeaders({ isPayment: false, isProduction: true }).map(({ key, value }): [string, string] => [
  key,
  value,
])

/**
 * Lets our own server call the route's handler directly for POST requests to this path, without Next's router (ADR
 * 0057). Under any other server, Next calls the same handler.
 */
export function registerDirectCall(path: string, handler: Handler): void {
  directCalls().set(path, callOf(handler))
}

function callOf(handler: Handler): DirectCall {
  return async ({ path, headers, body }) => {
    const init = { method: 'POST', headers: headersOf(headers), body, duplex: 'half' } as const
    const request = new Request(ORIGIN + path, init)
    const jar = createCookieJar(headers.cookie)
    keepCookieJar(request, jar)
    const response = await handler(request, { params: Promise.resolve({}) }).catch((error: unknown) => {
      const requestId = newId('req')
      return failed(toAppError(error, requestId, request), requestId)
    })
    const sent: [string, string][] = [...COMMON, ...response.headers]
    for (const cookie of jar.changes()) sent.push(['set-cookie', cookie])
    return { status: response.status, headers: sent, body: await response.text() }
  }
}

function headersOf(sent: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value === 'string') headers.append(name, value)
    else for (const one of value ?? []) headers.append(name, one)
  }
  return headers
}
