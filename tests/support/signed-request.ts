import { encode } from 'next-auth/jwt'
import { startSession } from '@/lib/accounts/start-session'
import { createCookieJar, keepCookieJar } from '@/lib/http/cookies/cookie-jar'
import { systemContext } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'

type Sent = { method?: string; headers?: Record<string, string>; body?: string }

/** Signs a user in and returns the value of the cookie header that a browser would then send. */
export async function signIn(userId: number): Promise<string> {
  const secret = await startSession(systemContext('test'), { userId, userAgent: 'test' })
  return `${SESSION_COOKIE}=${await encode({ token: { sid: secret }, secret: env().authSecret })}`
}

/** Creates a request for a route's handler, which a test calls without a server. */
export function requestWith(cookie: string, path: string, { method = 'POST', headers, body }: Sent = {}): Request {
  const request = new Request(`http://localhost:3000${path}`, {
    method,
    headers: { cookie, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  keepCookieJar(request, createCookieJar(cookie))
  return request
}
