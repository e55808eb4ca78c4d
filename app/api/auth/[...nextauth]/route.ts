import NextAuth from 'next-auth'
import { NextRequest } from 'next/server'
import { authOptions } from '@/lib/http/sign-in/auth-options'
import { readText } from '@/lib/http/input'
import { machineRoute } from '@/lib/http/machine-route'
import { isSameOrigin } from '@/lib/http/origin'
import { hasSessionCookie, readActor } from '@/lib/http/session'
import { platformError } from '@/lib/platform/messages'

// Our own call POST /api/auth/login signs people in. next-auth serves only these three calls. Its other calls, such as
// those for logging and for listing providers, return 404.
const SERVED = new Set(['GET session', 'GET csrf', 'POST signout'])

/** The body of a sign-out has a token, an address and a flag. */
const MAX_BODY_BYTES = 64 * 1024

type NextContext = { params: Promise<{ nextauth: string[] }> }

/** route() is not used here, because next-auth reads the request and the session by itself. */
const handler = machineRoute<NextRequest, [NextContext]>({
  name: 'next-auth',
  run: async (_ctx, request, next) => {
    if (!isSameOrigin(request)) throw platformError('CROSS_ORIGIN')
    const path = (await next.params).nextauth.join('/')
    if (!SERVED.has(`${request.method} ${path}`) || request.nextUrl.search !== '') throw platformError('NOT_FOUND')
    // next-auth checks only its token, not our sessions table, so an ended session is refused here (ADR 0003).
    if (path === 'session' && hasSessionCookie(request.cookies) && (await readActor()).kind !== 'user') {
      throw platformError('NOT_SIGNED_IN')
    }
    const answer = await (NextAuth(await withReadBody(request), next, authOptions()) as Promise<Response>).catch(
      (error: unknown) => {
        throw error instanceof SyntaxError ? platformError('MALFORMED_BODY', { cause: error }) : error
      },
    )
    // When next-auth cannot read the input, it responds in its own error format, which is replaced by ours.
    if (answer.status >= 400) throw platformError('MALFORMED_BODY')
    return answer
  },
})

/**
 * Reads the body here, because next-auth would read one of any size into memory.
 * @throws BODY_TOO_LARGE, BODY_TIMED_OUT, MALFORMED_BODY
 */
async function withReadBody(request: NextRequest): Promise<NextRequest> {
  if (request.method !== 'POST') return request
  const body = await readText(request, MAX_BODY_BYTES)
  return new NextRequest(request.url, { method: request.method, headers: request.headers, body })
}

export { handler as GET, handler as POST }
