import NextAuth from 'next-auth'
import type { NextRequest } from 'next/server'
import { authOptions } from '@/lib/http/next-auth'
import { isSameOrigin } from '@/lib/http/origin'
import { failed } from '@/lib/http/responses'
import { toAppError } from '@/lib/http/route'
import { newId } from '@/lib/kernel/id'
import { hasSessionCookie, readActor } from '@/lib/http/session'
import { platformError } from '@/lib/platform/messages'

// Signing in is ours (POST /api/auth/login); next-auth serves its cookie's own doors and nothing else: no log sink, no
// providers, no longer paths.
const SERVED = new Set(['GET session', 'GET csrf', 'POST signout'])

type Context = { params: Promise<{ nextauth: string[] }> }

async function handler(request: NextRequest, context: Context): Promise<Response> {
  const requestId = newId('req')
  try {
    if (!isSameOrigin(request)) throw platformError('CROSS_ORIGIN')
    const path = (await context.params).nextauth.join('/')
    if (!SERVED.has(`${request.method} ${path}`) || request.nextUrl.search !== '') throw platformError('NOT_FOUND')
    // next-auth knows its token, not our sessions: one that has ended is nobody's (ADR 0003).
    if (path === 'session' && hasSessionCookie(request.cookies) && (await readActor()).kind !== 'user') {
      throw platformError('NOT_SIGNED_IN')
    }
    const answer = (await NextAuth(request, context, authOptions())) as Response
    // What next-auth cannot read it calls its own error.
    if (answer.status >= 400) throw platformError('MALFORMED_BODY')
    return answer
  } catch (error) {
    const isUnreadable = error instanceof SyntaxError
    return failed(toAppError(isUnreadable ? platformError('MALFORMED_BODY') : error, requestId, request), requestId)
  }
}

export { handler as GET, handler as POST }
