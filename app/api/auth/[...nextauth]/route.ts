import NextAuth from 'next-auth'
import type { NextRequest } from 'next/server'
import { machineRoute } from '@/lib/http/machine-route'
import { authOptions } from '@/lib/http/next-auth'
import { isSameOrigin } from '@/lib/http/origin'
import { hasSessionCookie, readActor } from '@/lib/http/session'
import { platformError } from '@/lib/platform/messages'

// Signing in is ours (POST /api/auth/login); next-auth serves its cookie's own doors and nothing else: no log sink, no
// providers, no longer paths.
const SERVED = new Set(['GET session', 'GET csrf', 'POST signout'])

type NextContext = { params: Promise<{ nextauth: string[] }> }

/** Not a route(): next-auth reads the request and the session by itself. */
const handler = machineRoute<NextRequest, [NextContext]>({
  name: 'next-auth',
  run: async (_ctx, request, next) => {
    if (!isSameOrigin(request)) throw platformError('CROSS_ORIGIN')
    const path = (await next.params).nextauth.join('/')
    if (!SERVED.has(`${request.method} ${path}`) || request.nextUrl.search !== '') throw platformError('NOT_FOUND')
    // next-auth knows its token, not our sessions: one that has ended is nobody's (ADR 0003).
    if (path === 'session' && hasSessionCookie(request.cookies) && (await readActor()).kind !== 'user') {
      throw platformError('NOT_SIGNED_IN')
    }
    const answer = await (NextAuth(request, next, authOptions()) as Promise<Response>).catch((error: unknown) => {
      throw error instanceof SyntaxError ? platformError('MALFORMED_BODY', { cause: error }) : error
    })
    // What next-auth cannot read it calls its own error.
    if (answer.status >= 400) throw platformError('MALFORMED_BODY')
    return answer
  },
})

export { handler as GET, handler as POST }
